import { existsSync, readdirSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assertRootPlace } from '../config/state-root/assert-root-place.ts';
import { STATE_FOLDER, type StatePaths, toStatePaths } from '../config/state-root/state-paths.ts';
import { RuntimeError } from '../core/errors.ts';
import { faultPoint } from '../core/fault-point.ts';
import { syncDirectory } from '../platform/durable-write.ts';
import { isMissing } from '../platform/errno-of.ts';
import { makeDirectory } from '../platform/owner-only.ts';
import { replaceFile } from '../platform/replace-file.ts';
import { damagedArchive, unlessAborted } from '../storage/archive/archive-faults.ts';
import type { ArchiveHeader } from '../storage/archive/archive-shapes.ts';
import { unpackArchive } from '../storage/archive/unpack-archive.ts';
import { loadMigrations } from '../storage/load-migrations.ts';
import { type FileLock, tryFileLock } from '../storage/sqlite/file-lock.ts';
import { openServerLock } from '../storage/sqlite/server-lock.ts';
import type {
  RestoreOptions,
  RestoreReport,
} from '../surfaces/cli/commands/backup/backup-access.ts';
import { measuredBytes } from './measured-bytes.ts';
import { verifyCopy } from './verify-copy.ts';

/**
 * Puts a backup in the place of a state root. Everything is unpacked and verified beside it first. From the moment that
 * `commit.json` is written the restore is decided: whoever comes next, after a crash, only moves what is left to move.
 */
export async function restore(options: RestoreOptions): Promise<RestoreReport> {
  const paths = toStatePaths(options.root);
  await assertRootPlace(paths.root);
  await mkdir(paths.root, { recursive: true });
  const locks = lockRoot(paths);
  try {
    const staging = paths.restoreStagingDir;
    await makeDirectory(staging);
    locks.push(lockStaging(staging));
    const decided = await findDecided(staging);
    if (decided !== undefined) {
      const report = await place(paths, decided);
      if (decided.file === options.file) return report;
      throw new RuntimeError(
        'conflict',
        `a restore of ${decided.file} was cut off, and is finished now`,
        {
          details: {
            fix: 'look whether it is what you want; --replace puts this one in its place',
          },
        },
      );
    }
    return await restoreAnew(paths, options);
  } finally {
    for (const lock of locks) lock.close();
  }
}

async function assertFile(file: string): Promise<void> {
  const stats = await stat(file).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    throw new RuntimeError('not_found', `there is no backup at ${file}`, {
      details: { thing: 'backup' },
    });
  });
  if (!stats.isFile()) throw damagedArchive(file, 'is no file');
}

/** A server or a command that writes would go on writing into what was moved away. */
function lockRoot(paths: StatePaths): FileLock[] {
  // Locks are files: they would be the first in an empty folder.
  if (!existsSync(paths.stateDir) || readdirSync(paths.stateDir).length === 0) return [];
  const server = openServerLock(paths.serverLockFile);
  const others = [paths.recordsLockFile, paths.backupLockFile].map((file) => tryFileLock(file));
  const held = others.filter((lock) => lock !== undefined);
  if (held.length === others.length) return [server, ...held];
  for (const lock of [server, ...held]) lock.close();
  throw new RuntimeError('conflict', 'another process works in this state root', {
    details: { fix: 'wait until it has ended, or stop it' },
  });
}

function lockStaging(staging: string): FileLock {
  const lock = tryFileLock(join(staging, 'restore.lock'));
  if (lock !== undefined) return lock;
  throw new RuntimeError('conflict', 'another restore into this state root is under way');
}

async function restoreAnew(paths: StatePaths, options: RestoreOptions): Promise<RestoreReport> {
  const staging = paths.restoreStagingDir;
  try {
    await assertFile(options.file);
    const folder = join(staging, 'new');
    await rm(folder, { recursive: true, force: true });
    await makeDirectory(folder);
    const decision = await stage(paths, options, folder);
    unlessAborted(options.signal);
    faultPoint('restore.before_commit');
    await replaceFile(join(staging, COMMIT), `${JSON.stringify(decision)}\n`);
    faultPoint('restore.after_commit');
    options.onStage({ stage: 'placing', bytes: 0 });
    return await place(paths, decision);
  } catch (error) {
    // Decided is decided: the next one goes on.
    if (!existsSync(join(staging, COMMIT))) await rm(staging, { recursive: true, force: true });
    throw error;
  }
}

const COMMIT = 'commit.json';

/** A report, and what is still to be done for it. */
interface Decision {
  readonly file: string;
  readonly places: readonly string[];
  /** Behind the names of what is moved aside. */
  readonly suffix: string;
  readonly report: RestoreReport;
}

async function findDecided(staging: string): Promise<Decision | undefined> {
  try {
    return JSON.parse(await readFile(join(staging, COMMIT), 'utf8')) as Decision;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function stage(
  paths: StatePaths,
  options: RestoreOptions,
  folder: string,
): Promise<Decision> {
  const { file, signal, onStage, onProgress, replace } = options;
  let total = 0;
  const unpacked = await unpackArchive({
    ...{ file, folder, signal, isDurable: true },
    async onHeader(header) {
      total = measuredBytes(header);
      await assertWanted(paths, header, { file, replace });
      onStage({ stage: 'unpacking', bytes: total });
    },
    toPlace: (path) => path,
    onProgress: (done) => onProgress(done, total),
  });
  const { header, files, bytes, sha256 } = unpacked;
  if (options.sha256 !== undefined && options.sha256.toLowerCase() !== sha256) {
    throw damagedArchive(file, `is another file: its SHA-256 is ${sha256}`);
  }
  onStage({ stage: 'verifying', bytes });
  const verdict = header.engine === 'sqlite' ? await verifyCopy(folder, signal) : undefined;
  const { log, faults = [] } = verdict ?? {};
  if (faults.length > 0 && !options.acceptFaults) throw alteredRecords(file, faults.length);
  const audit = log && { runs: log.runs, events: log.events, faults: faults.length };
  const suffix = `.before-restore-${header.created_at.replace(/\D/g, '').slice(0, 14)}`;
  const places = await findStaged(folder, header);
  const kept = await findInTheWay(paths.root, places);
  // Somebody may have begun to work here while this was unpacked.
  if (kept[0] !== undefined && !options.replace) throw isThere(paths.root, kept[0]);
  const report = {
    ...{ header: toTold(header), root: paths.root, files, bytes, sha256, audit },
    kept: kept.map((name) => join(paths.root, freeName(paths.root, name, suffix))),
  };
  return { file, places, suffix, report };
}

function alteredRecords(file: string, faults: number): RuntimeError {
  const message = `the records in ${file} were altered, or were not whole when it was made: ${faults} faults`;
  return new RuntimeError('conflict', message, {
    details: { fix: 'use another backup, or take it as it is with --accept-faults' },
  });
}

function toTold(header: ArchiveHeader): RestoreReport['header'] {
  const { created_at, version, engine, schema_version, has_secrets, has_workspace } = header;
  return { created_at, version, engine, schema_version, has_secrets, has_workspace };
}

function isThere(root: string, name: string): RuntimeError {
  return new RuntimeError('conflict', `${join(root, name)} is there already`, {
    details: { fix: 'restore into an empty folder with --root, or move it aside with --replace' },
  });
}

interface Wish {
  readonly file: string;
  readonly replace: boolean;
}

/** Before anything is written. */
async function assertWanted(
  paths: StatePaths,
  header: ArchiveHeader,
  { file, replace }: Wish,
): Promise<void> {
  const newest = loadMigrations('sqlite').length;
  if (header.schema_version !== null && header.schema_version > newest) {
    const message = `${file} has a database of version ${header.schema_version}, but this claw knows versions up to ${newest}`;
    throw new RuntimeError('conflict', message, {
      details: { fix: `upgrade claw; it was written by ${header.version}` },
    });
  }
  if (!header.places.includes(STATE_FOLDER)) throw damagedArchive(file, 'holds no state root');
  const [first] = replace ? [] : await findInTheWay(paths.root, header.places);
  if (first !== undefined) throw isThere(paths.root, first);
  await assertOneDisk(paths.root, header.places);
  const { bavail, bsize } = await statfs(paths.root);
  const bytes = measuredBytes(header);
  if (bavail * bsize < bytes) {
    const message = `the backup needs ${bytes} bytes, and ${paths.root} has ${bavail * bsize}`;
    throw new RuntimeError('storage_unavailable', message, { details: { fix: 'free some space' } });
  }
}

/** Things are moved into place in one step each, which can't be done onto another disk or over a mounted one. */
async function assertOneDisk(root: string, places: readonly string[]): Promise<void> {
  const { dev } = await stat(root);
  for (const name of places) {
    const there = await lstat(join(root, name)).catch(() => undefined);
    if (there === undefined || there.dev === dev) continue;
    throw new RuntimeError('conflict', `${join(root, name)} is mounted from another disk`, {
      details: { fix: 'unmount it, or restore into another folder and copy it from there' },
    });
  }
}

/** Files, links, and folders that hold something. */
async function findInTheWay(root: string, places: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of places) {
    const path = join(root, name);
    const there = await lstat(path).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (there === undefined) continue;
    if (!there.isDirectory() || (await readdir(path)).length > 0) found.push(name);
  }
  return found;
}

async function findStaged(folder: string, { places }: ArchiveHeader): Promise<string[]> {
  const staged = places.filter((name) => existsSync(join(folder, name)));
  // Last, so that the root is one from the moment that everything else is there.
  return [...staged.filter((name) => name !== STATE_FOLDER), STATE_FOLDER];
}

/** Moves what is still to be moved; doing it again is harmless. */
async function place(paths: StatePaths, decision: Decision): Promise<RestoreReport> {
  const { restoreStagingDir: staging, root } = paths;
  const folder = join(staging, 'new');
  for (const name of decision.places) {
    const from = join(folder, name);
    if (!existsSync(from)) continue;
    const to = join(root, name);
    await mkdir(dirname(to), { recursive: true });
    const [isInTheWay] = await findInTheWay(root, [name]);
    if (isInTheWay !== undefined) {
      await rename(to, join(root, freeName(root, name, decision.suffix)));
    }
    await rename(from, to);
    await syncDirectory(dirname(to));
    faultPoint('restore.between_places');
  }
  await rm(staging, { recursive: true, force: true });
  return decision.report;
}

const MAX_NAMES = 1_000;

/** The first that is free, so that nothing that was kept is ever lost. */
function freeName(root: string, name: string, suffix: string): string {
  for (let count = 1; count <= MAX_NAMES; count += 1) {
    const free = `${name}${suffix}${count === 1 ? '' : `-${count}`}`;
    if (!existsSync(join(root, free))) return free;
  }
  throw new RuntimeError('conflict', `${join(root, name)} was moved aside too often`, {
    details: { fix: `delete some of ${name}${suffix}-…` },
  });
}
