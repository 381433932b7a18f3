import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPackageRoot } from '../../src/platform/package-root.ts';

const MAX_FIRST_LOAD_BYTES = 250_000;
const built = join(findPackageRoot(), 'dist/dashboard');
const assets = join(built, 'assets');
const names = readdirSync(assets).filter((name) => /\.(js|css)$/.test(name));

/** The files that these need before anything is shown, by their static imports. */
function collect(entries: readonly string[], found = new Set<string>()): ReadonlySet<string> {
  for (const name of entries) {
    if (found.has(name)) continue;
    found.add(name);
    if (!name.endsWith('.js')) continue;
    const code = readFileSync(join(assets, name), 'utf8');
    collect(
      [...code.matchAll(/(?:from|import)"\.\/([^"]+)"/g)].map(([, path]) => path ?? ''),
      found,
    );
  }
  return found;
}

/** As they are sent; what is too small to be compressed goes as it is. */
function sizeOf(name: string): number {
  const file = join(assets, name);
  return readFileSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).length;
}

const html = readFileSync(join(built, 'index.html'), 'utf8');
const entries = [...html.matchAll(/\/assets\/([^"]+)/g)].map(([, name]) => name ?? '');
const pages = names.filter((name) => /-page-.*\.js$/.test(name));

test('every page is there after 250 kB at the most', () => {
  const loads = pages.map((page) => {
    const bytes = [...collect([...entries, page])].reduce((sum, name) => sum + sizeOf(name), 0);
    return { page, bytes };
  });

  expect(loads.length).toBeGreaterThan(10);
  expect(loads.filter(({ bytes }) => bytes > MAX_FIRST_LOAD_BYTES)).toEqual([]);
  expect(Math.min(...loads.map(({ bytes }) => bytes))).toBeGreaterThan(50_000);
});

test('the pages are built for users, whatever the builder is', () => {
  expect(names.filter((name) => name.includes('jsx-dev-runtime'))).toEqual([]);
});
