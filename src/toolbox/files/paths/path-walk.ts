import { type BigIntStats, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { errnoOf } from '../../../platform/errno-of.ts';
import { isInside } from '../../../platform/is-inside.ts';
import { fileFailed, fileMissing, pathDenied, toFileError } from '../file-errors.ts';
import { type Looks, POOLED_LOOKS } from './looks.ts';
import {
  isReservedName,
  parsePath,
  type Roots,
  segmentsInside,
  splitSegments,
} from './path-names.ts';

// As the kernel: enough for honest chains, and a loop ends.
const MAX_LINKS = 40;

export interface Boundary {
  readonly roots: Roots;
  readonly reserved: readonly ReservedDirectory[];
  readonly looks: Looks;
}

interface ReservedDirectory {
  readonly path: string;
  /** Device and inode, which survive case-insensitive names and bind mounts; absent while it does not exist. */
  readonly identity: string | undefined;
}

/** Where a path leads: free of links, inside the workspace, every step of it checked. */
export interface Place {
  /** The deepest existing directory on the way to `name`; the place itself when that is a directory. */
  readonly directory: string;
  /** Directories still to be made between `directory` and `name`. */
  readonly missingDirectories: readonly string[];
  readonly name: string;
  readonly realPath: string;
  /** Undefined when nothing is there yet. */
  readonly stat: BigIntStats | undefined;
}

export async function findBoundary(
  root: string,
  reservedPaths: readonly string[],
  looks: Looks = POOLED_LOOKS,
): Promise<Boundary> {
  const given = resolve(root);
  const real = await findWorkspace(given, looks);
  return { roots: { given, real }, reserved: reservedPaths.map(findReserved), looks };
}

async function findWorkspace(given: string, looks: Looks): Promise<string> {
  try {
    return await looks.realpath(given);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    throw fileMissing('.', 'the workspace directory does not exist; create it or fix the setting');
  }
}

/**
 * On the spot: they lie beside the database, where a look takes microseconds, and every call of a file tool looks at all
 * of them twice. Waking threads of the pool for that took longer than the call.
 */
function findReserved(path: string): ReservedDirectory {
  try {
    const real = realpathSync.native(path);
    return { path: real, identity: identityOf(statSync(real, { bigint: true })) };
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    return { path: resolve(path), identity: undefined };
  }
}

export function identityOf(stats: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${stats.dev}:${stats.ino}`;
}

export interface WalkOptions {
  /** Stops at the name itself: a link in last place is not followed, and `directory` is what holds the name. */
  readonly asEntry?: boolean;
}

/**
 * Follows a path component by component, links included, as the kernel would, but looks at nothing outside the
 * workspace: whether a file exists elsewhere must not show in the answer either.
 */
export async function walkPath(
  path: string,
  boundary: Boundary,
  { asEntry = false }: WalkOptions = {},
): Promise<Place> {
  const { roots, looks } = boundary;
  const pending = [...parsePath(path, roots)];
  if (asEntry) dropTrailingDots(pending);
  const at = async (location: string) => ({
    location,
    stats: await lstatOf(looks, location, path),
  });
  let step = await at(roots.real);
  let links = 0;
  assertNotReserved({ path, location: step.location, stats: step.stats, boundary });

  for (let segment = pending.shift(); segment !== undefined; segment = pending.shift()) {
    if (!step.stats.isDirectory()) throw fileFailed(path, 'not_a_directory', NOT_A_DIRECTORY);
    if (segment === '.') continue;
    if (segment === '..') {
      if (step.location === roots.real) {
        throw pathDenied(path, links > 0 ? 'symlink_outside' : 'traversal');
      }
      step = await at(dirname(step.location));
      continue;
    }
    const location = join(step.location, segment);
    const stats = await findStat(looks, location, path);
    assertNotReserved({ path, location, stats, boundary });
    if (stats === undefined) return missingPlace(path, step.location, [segment, ...pending]);
    if (!stats.isSymbolicLink()) {
      step = { location, stats };
      continue;
    }
    if (asEntry && pending.length === 0) return entryPlace(location, stats);
    links += 1;
    if (links > MAX_LINKS) throw pathDenied(path, 'symlink_loop');
    const target = await readTarget(looks, location, path);
    if (!isAbsolute(target)) {
      pending.unshift(...splitSegments(target));
      continue;
    }
    const inside = segmentsInside(target, roots);
    if (inside === undefined) throw pathDenied(path, 'symlink_outside');
    step = await at(roots.real);
    pending.unshift(...inside);
  }
  const place = existingPlace(path, step.location, step.stats);
  return asEntry ? entryPlace(place.realPath, step.stats) : place;
}

async function readTarget(looks: Looks, location: string, path: string): Promise<string> {
  try {
    return await looks.readlink(location);
  } catch (error) {
    throw errnoOf(error) === 'EINVAL' ? pathDenied(path, 'path_changed') : toFileError(error, path);
  }
}

/** `link/` and `link/.` lead behind the link; to an entry they are the link itself, which is the safer reading. */
function dropTrailingDots(segments: string[]): void {
  while (segments.at(-1) === '.') segments.pop();
}

function entryPlace(realPath: string, stats: BigIntStats): Place {
  const directory = dirname(realPath);
  return { directory, missingDirectories: [], name: basename(realPath), realPath, stat: stats };
}

const NOT_A_DIRECTORY = 'goes through something that is not a directory';

function existingPlace(path: string, realPath: string, stats: BigIntStats): Place {
  if (!stats.isDirectory() && !stats.isFile()) throw pathDenied(path, 'special_file');
  return {
    directory: stats.isDirectory() ? realPath : dirname(realPath),
    missingDirectories: [],
    name: basename(realPath),
    realPath,
    stat: stats,
  };
}

function missingPlace(path: string, directory: string, rest: readonly string[]): Place {
  // What is not there has no parent to go back to; a trailing dot would turn a file into a directory.
  if (rest.includes('..') || rest.at(-1) === '.') throw fileMissing(path);
  const names = rest.filter((segment) => segment !== '.');
  if (names.some(isReservedName)) throw pathDenied(path, 'reserved_path');
  return {
    directory,
    missingDirectories: names.slice(0, -1),
    name: names.at(-1) ?? '',
    realPath: join(directory, ...names),
    stat: undefined,
  };
}

interface Candidate {
  readonly path: string;
  readonly location: string;
  readonly stats: BigIntStats | undefined;
  readonly boundary: Boundary;
}

export function assertNotReserved({ path, location, stats, boundary }: Candidate): void {
  if (location !== boundary.roots.real && isReservedName(basename(location))) {
    throw pathDenied(path, 'reserved_path');
  }
  const identity = stats === undefined ? undefined : identityOf(stats);
  for (const reserved of boundary.reserved) {
    const isSame = identity !== undefined && identity === reserved.identity;
    if (isSame || isInside(reserved.path, location)) throw pathDenied(path, 'reserved_path');
  }
}

async function findStat(
  looks: Looks,
  candidate: string,
  path: string,
): Promise<BigIntStats | undefined> {
  try {
    return await looks.lstat(candidate);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw toFileError(error, path);
  }
}

async function lstatOf(looks: Looks, location: string, path: string): Promise<BigIntStats> {
  const found = await findStat(looks, location, path);
  if (found === undefined) throw fileMissing(path);
  return found;
}
