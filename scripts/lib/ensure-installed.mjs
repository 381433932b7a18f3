import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitWith, root, run } from './process.mjs';

const MODULES = join(root, 'node_modules');
const STAMP = join(MODULES, '.pincer-stamp');
const LOCK_POLL_MS = 200;

/** Makes node_modules match package-lock.json, at the cost of a few stat calls when it does. */
export async function ensureInstalled() {
  const wanted = lockDigest();
  if (isStamped(wanted)) return;
  const unlock = await lock(() => isStamped(wanted));
  try {
    if (isStamped(wanted)) return;
    if (!matchesHiddenLockfile()) await install();
    writeFileSync(STAMP, wanted);
  } finally {
    unlock();
  }
}

function lockDigest() {
  const hash = createHash('sha256');
  hash.update(`${process.platform} ${process.arch}\n`);
  hash.update(readFileSync(join(root, 'package-lock.json')));
  return hash.digest('hex');
}

function isStamped(wanted) {
  try {
    return readFileSync(STAMP, 'utf8') === wanted && hasDirectDependencies();
  } catch {
    return false;
  }
}

function hasDirectDependencies() {
  return ['.', 'dashboard'].every((workspace) => {
    const folder = join(root, workspace);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    const places = [MODULES, join(folder, 'node_modules')];
    return names.every((name) =>
      places.some((place) => existsSync(join(place, name, 'package.json'))),
    );
  });
}

/**
 * npm writes node_modules/.package-lock.json last, so a matching one means that somebody ran
 * `npm ci` or `npm install` to the end by hand.
 */
function matchesHiddenLockfile() {
  try {
    const installed = readPackages(join(MODULES, '.package-lock.json'));
    const wanted = readPackages(join(root, 'package-lock.json'));
    return Object.entries(wanted).every(([path, { version, optional, link }]) => {
      if (path === '' || link) return true;
      if (installed[path] === undefined) return optional === true;
      return installed[path].version === version && existsSync(join(root, path, 'package.json'));
    });
  } catch {
    return false;
  }
}

function readPackages(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}

async function install() {
  process.stderr.write('pincer: installing dependencies …\n');
  rmSync(STAMP, { force: true });
  const [command, prefix] = npmCommand();
  const { code, output, interruptedBy } = await run(
    command,
    [
      ...prefix,
      'ci',
      '--no-audit',
      '--no-fund',
      '--no-progress',
      '--ignore-scripts',
      '--include=dev',
      '--include=optional',
      '--loglevel=error',
    ],
    { quiet: true },
  );
  if (code !== 0) {
    exitWith(interruptedBy ? '' : `${output.trimEnd()}\npincer: npm ci failed`, code);
  }
}

function npmCommand() {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('npm-cli.js')) return [process.execPath, [cli]];
  return ['npm', []];
}

/** Two first starts at once must not install over each other; the lock dies with its holder. */
async function lock(isDone) {
  const key = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const path = join(tmpdir(), `pincer-install-${key}.lock`);
  mkdirSync(MODULES, { recursive: true });
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      const unlock = () => rmSync(path, { force: true });
      // A failed install ends the process on the spot.
      process.once('exit', unlock);
      return unlock;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isStale(path)) unlinkQuietly(path);
    else await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
    if (isDone()) return () => {};
  }
}

function isStale(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    // Just created and not yet written, or left empty by a full disk.
    if (pid === 0) return Date.now() - statSync(path).mtimeMs > 5_000;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

function unlinkQuietly(path) {
  try {
    unlinkSync(path);
  } catch {
    // Another waiter was faster.
  }
}
