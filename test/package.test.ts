import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** What a user of the package gets, as opposed to a user of the repository. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MANIFEST = readJson('package.json') as {
  dependencies: Record<string, string>;
  overrides: Record<string, unknown>;
};
const LOCK = readJson('package-lock.json') as { packages: Record<string, LockedPackage> };

interface LockedPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly engines?: { readonly node?: string };
}

/** Loaded by name when the program runs, not by an import that could be read from its files. */
const LOADED_BY_NAME = ['@photostructure/sqlite'];

test('the package depends on what its library imports, and on nothing that the program carries in itself', () => {
  const files = [
    'index.js',
    'reliability.js',
    ...readdirSync(join(ROOT, 'dist/lib')).map((name) => `lib/${name}`),
  ];
  const imported = files.flatMap((file) => {
    const code = readFileSync(join(ROOT, 'dist', file), 'utf8');
    return [
      ...code.matchAll(
        /(?:^|[;}\n])\s*(?:import|export)[^;'"]*?\bfrom\s*["']([^"'.][^"']*)["']|\bimport\(["']([^"'.][^"']*)["']\)/g,
      ),
    ].map(([, from, lazily]) => from ?? lazily ?? '');
  });

  const packages = imported.filter((name) => !name.startsWith('node:')).map(toPackage);

  expect(Object.keys(MANIFEST.dependencies).sort()).toEqual(
    [...new Set([...packages, ...LOADED_BY_NAME])].sort(),
  );
});

test('every package that users install works on the oldest Node that we promise', () => {
  const shipped = listShipped();

  const unfit = shipped.filter(([, { engines }]) => !acceptsNode20(engines?.node ?? '*'));

  expect(shipped.length).toBeGreaterThan(10);
  expect(unfit.map(([path, { engines }]) => `${path} ${engines?.node}`)).toEqual([]);
});

test('no override mends what users install: it would not reach them', () => {
  const overridden = Object.entries(MANIFEST.overrides).flatMap(([name, inner]) =>
    typeof inner === 'object' && inner !== null ? [name, ...Object.keys(inner)] : [name],
  );
  const shipped = new Set(listShipped().map(([path]) => path.replace(/.*node_modules\//, '')));

  expect(overridden.filter((name) => shipped.has(name))).toEqual([]);
});

test('every relative link of the packed documents leads to a packed file', () => {
  const packed = listPacked();
  const folders = new Set(packed.flatMap(listFolders));
  const known = new Set(packed);

  const broken = packed
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) => findLinks(path).map((link) => [path, link] as const))
    .filter(([path, link]) => {
      const target = normalize(join(dirname(path), link)).replace(/\/$/, '');
      return !known.has(target) && !folders.has(target);
    });

  expect(packed).toContain('README.md');
  expect(broken.map(([path, link]) => `${path}: ${link}`)).toEqual([]);
});

test('secrets, tests and sources stay out of the package', () => {
  const packed = listPacked();

  expect(
    packed.filter((path) => /^(src|test|tests|torture|scripts)\/|\.env|\.openclawssy/.test(path)),
  ).toEqual([]);
  expect(packed.filter((path) => /^dashboard\/|\.map$/.test(path))).toEqual([]);
  expect(packed.every((path) => existsSync(join(ROOT, path)))).toBe(true);
});

test('what the program reads beside its code is in the package', () => {
  expect(listPacked()).toEqual(
    expect.arrayContaining([
      'dist/claw.cjs',
      'dist/sqlite-writer.cjs',
      'dist/recorder.cjs',
      'dist/embedding-thread.cjs',
      'dist/use-lite.bin',
      'dist/use-lite.LICENSE',
      'dist/schemas.json',
      'dist/dashboard/index.html',
      'dist/dashboard/index.html.br',
    ]),
  );
});

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

function toPackage(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function listShipped(): [path: string, locked: LockedPackage][] {
  return Object.entries(LOCK.packages).filter(([path, { dev }]) => path !== '' && dev !== true);
}

/** The forms that packages write: `>=18`, `^20.19 || >=22`, `>= 0.10`, `>=16 <25`, `*`. */
function acceptsNode20(range: string): boolean {
  return range.split('||').some((part) =>
    part
      .trim()
      .replace(/([<>=^~]+)\s+/g, '$1')
      .split(/\s+/)
      .every((bound) => {
        const [, operator = '', major = '0', minor = '0'] =
          /^(>=|>|<=|<|\^|~|=)?v?(\d+)?(?:\.(\d+))?/.exec(bound) ?? [];
        const given = 20 * 1_000 + 11;
        const asked = Number(major) * 1_000 + Number(minor);
        if (operator === '') return bound === '*' || Number(major) === 20;
        if (operator.startsWith('>')) return given >= asked;
        if (operator.startsWith('<'))
          return given < asked || (operator === '<=' && given === asked);
        return Number(major) === 20 && given >= asked;
      }),
  );
}

let packed: readonly string[] | undefined;

function listPacked(): readonly string[] {
  packed ??= (
    JSON.parse(
      execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'], {
        cwd: ROOT,
        encoding: 'utf8',
      }),
    ) as [{ files: { path: string }[] }]
  )[0].files.map(({ path }) => path);
  return packed;
}

function listFolders(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** Targets of links and images, without those in code, those to elsewhere and those within the page. */
function findLinks(path: string): string[] {
  const text = readFileSync(join(ROOT, path), 'utf8')
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)]
    .map(([, target = '']) => target.replace(/#.*/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/i.test(target));
}
