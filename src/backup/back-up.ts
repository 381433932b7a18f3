import { existsSync } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../config/environment.ts';
import { type LoadedConfig, loadConfig } from '../config/load-config.ts';
import { STATE_FOLDER } from '../config/state-root/state-paths.ts';
import { leaveAuditMark, leaveBackupMark } from '../config/state-root/upkeep-marks.ts';
import { systemClock, toIso } from '../core/clock.ts';
import { RuntimeError } from '../core/errors.ts';
import { faultPoint } from '../core/fault-point.ts';
import { toAuditMark } from '../core/records/to-audit-mark.ts';
import type { AuditVerdict } from '../core/records/verify-audit.ts';
import { moveFile } from '../platform/durable-write.ts';
import { DIRECTORY_MODE, FILE_MODE, makeDirectory } from '../platform/owner-only.ts';
import { toTemporaryPath } from '../platform/temporary-path.ts';
import { findDiskFault, unlessAborted } from '../storage/archive/archive-faults.ts';
import { type ArchiveHeader, FORMAT } from '../storage/archive/archive-shapes.ts';
import type { ListedEntry } from '../storage/archive/list-entries.ts';
import { type PackedArchive, packArchive } from '../storage/archive/pack-archive.ts';
import { isBelow } from '../storage/archive/safe-path.ts';
import { unpackArchive } from '../storage/archive/unpack-archive.ts';
import { openSnapshot } from '../storage/sqlite/copy-database.ts';
import { tryFileLock } from '../storage/sqlite/file-lock.ts';
import {
  forgetRecordsAfter,
  type RecordedMark,
  readRecordedMark,
} from '../storage/sqlite/recorded-mark.ts';
import type { BackupOptions, BackupReport } from '../surfaces/cli/commands/backup/backup-access.ts';
import { VERSION } from '../version.ts';
import { assertBackupPlace, type BackupScope, findBackupScope } from './backup-scope.ts';
import { GROWTH_BYTES, measuredBytes } from './measured-bytes.ts';
import { verifyCopy } from './verify-copy.ts';

/** Writes the whole installation into one file, beside a running server or without one, and verifies what it wrote. */
export async function backUp(options: BackupOptions, env: Environment): Promise<BackupReport> {
  const loaded = await loadConfig({ root: options.root, env });
  assertEngine(loaded, options);
  await assertBackupPlace(loaded, options.file);
  if (existsSync(options.file) && !options.overwrite) throw isThere(options.file);
  const lock = tryFileLock(loaded.paths.backupLockFile);
  if (lock === undefined) {
    throw new RuntimeError('conflict', 'another backup of this state root is being made');
  }
  try {
    return await withStaging(loaded.paths.backupStagingDir, () => write(loaded, options));
  } finally {
    lock.close();
  }
}

function assertEngine({ credentials, paths }: LoadedConfig, { filesOnly }: BackupOptions): void {
  const isPostgres = credentials.databaseUrl !== undefined;
  if (isPostgres && !filesOnly) {
    throw new RuntimeError('invalid_input', 'the data of this state root is in PostgreSQL', {
      details: {
        fix: 'back up its files with claw backup FILE --files-only, and then the database with pg_dump',
      },
    });
  }
  if (isPostgres) return;
  if (filesOnly) {
    throw new RuntimeError('invalid_input', '--files-only is for installations on PostgreSQL', {
      details: { fix: 'leave it out: the embedded database is part of the backup' },
    });
  }
  if (existsSync(paths.databaseFile)) return;
  throw new RuntimeError('not_found', `${paths.root} holds no installation to back up`, {
    details: { thing: 'installation', fix: 'name its state root with --root' },
  });
}

/** What a backup that was killed left behind goes with the next one. */
async function withStaging<T>(folder: string, work: () => Promise<T>): Promise<T> {
  await rm(folder, { recursive: true, force: true });
  // Not with the folders above it: where they can't be written, Node says of those that they do not exist.
  await mkdir(folder, { mode: DIRECTORY_MODE });
  try {
    return await work();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function write(loaded: LoadedConfig, options: BackupOptions): Promise<BackupReport> {
  const { file, signal, onStage } = options;
  const startedAtMs = systemClock.nowMs();
  const { header, entries, leftOut } = await gather(loaded, options, startedAtMs).catch(
    (thrown: unknown) => {
      throw findDiskFault('reading the state root', thrown) ?? thrown;
    },
  );
  const temporary = toTemporaryPath(file);
  try {
    const total = measuredBytes(header);
    onStage({ stage: 'writing', bytes: total });
    const packed = await packArchive({
      ...{ root: loaded.paths.root, file: temporary, header, entries, signal },
      onProgress: (done) => options.onProgress(done, total),
    });
    onStage({ stage: 'verifying', bytes: packed.bytes });
    const verdict = await verify(loaded, { ...options, file: temporary }, packed);
    unlessAborted(signal);
    faultPoint('backup.before_rename');
    await moveFile(temporary, file);
    await leaveMarks(loaded, { file, startedAtMs, verdict });
    return {
      ...{ header, file, leftOut, ...packed },
      audit: verdict && {
        runs: verdict.log.runs,
        events: verdict.log.events,
        faults: verdict.faults.length,
      },
    };
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

interface Gathered extends Pick<BackupScope, 'entries' | 'leftOut'> {
  readonly header: ArchiveHeader;
}

/**
 * Files are measured first and the database is pinned right after: lines are written behind the log, so a database that
 * is a moment newer knows all that the files held, however long copying takes. What files grow by is left out, and
 * what was recorded in that moment counts as not recorded in the copy.
 */
async function gather(
  loaded: LoadedConfig,
  options: BackupOptions,
  startedAtMs: number,
): Promise<Gathered> {
  const recorded = options.filesOnly ? undefined : readRecordedMark(loaded.paths.databaseFile);
  const scope = await findBackupScope(loaded, options);
  const database = recorded && (await copyDatabase(loaded, options, recorded));
  faultPoint('backup.after_copy');
  const entries = database === undefined ? scope.entries : [...scope.entries, database.entry];
  return {
    entries,
    leftOut: scope.leftOut,
    header: {
      format: FORMAT,
      created_at: toIso(startedAtMs),
      version: VERSION,
      engine: database === undefined ? 'postgres' : 'sqlite',
      schema_version: database?.version ?? null,
      has_secrets: options.withSecrets,
      has_workspace: options.withWorkspace,
      places: [...scope.places],
      workspace: scope.workspace ?? null,
      max_entries: entries.length,
      max_bytes: entries.reduce(
        (sum, { bytes, content }) => sum + sizeOf(bytes, content),
        GROWTH_BYTES,
      ),
    },
  };
}

/** What is said instead may be longer than what is on the disk. */
function sizeOf(bytes: number, content: ListedEntry['content']): number {
  return content === undefined ? bytes : Buffer.byteLength(content);
}

async function copyDatabase(
  { paths }: LoadedConfig,
  { signal, onStage, onProgress }: BackupOptions,
  recorded: RecordedMark,
): Promise<{ readonly version: number; readonly entry: ListedEntry }> {
  const target = join(paths.backupStagingDir, 'pincer.db');
  const snapshot = openSnapshot({ file: paths.databaseFile, target, signal, onProgress });
  try {
    onStage({ stage: 'copying', bytes: (await stat(paths.databaseFile)).size });
    await snapshot.copy();
  } finally {
    snapshot.close();
  }
  forgetRecordsAfter(target, recorded);
  const { size, mtimeMs } = await stat(target);
  const path = `${STATE_FOLDER}/pincer.db`;
  const { version } = snapshot;
  const kind = 'file' as const;
  return { version, entry: { path, kind, mode: FILE_MODE, mtimeMs, bytes: size, source: target } };
}

/** Reads back what was written. Without a database of its own the records can't be compared with anything. */
async function verify(
  { paths }: LoadedConfig,
  { file, signal, onProgress }: BackupOptions,
  { sha256 }: PackedArchive,
): Promise<AuditVerdict | undefined> {
  // Packed by now, and the disk may be small.
  await rm(join(paths.backupStagingDir, 'pincer.db'), { force: true });
  const folder = join(paths.backupStagingDir, 'check');
  await makeDirectory(folder);
  let total = 0;
  const { header, ...read } = await unpackArchive({
    ...{ file, folder, signal, isDurable: false },
    onHeader: async (found) => {
      total = measuredBytes(found);
    },
    // Of the rest the hashes are enough.
    toPlace: (path) => (isBelow(STATE_FOLDER, path) ? path : undefined),
    onProgress: (done) => onProgress(done, total),
  });
  if (read.sha256 !== sha256) {
    throw new RuntimeError('storage_unavailable', `${file} can't be read back as it was written`);
  }
  return header.engine === 'sqlite' ? verifyCopy(folder, signal) : undefined;
}

interface Marks {
  readonly file: string;
  readonly startedAtMs: number;
  readonly verdict: AuditVerdict | undefined;
}

/** The records were verified with the copy of them. */
async function leaveMarks({ paths }: LoadedConfig, marks: Marks): Promise<void> {
  const { file, startedAtMs, verdict } = marks;
  await leaveBackupMark(paths, { atMs: startedAtMs, file });
  const mark = verdict && toAuditMark(verdict, startedAtMs);
  if (mark !== undefined) await leaveAuditMark(paths, mark);
}

function isThere(file: string): RuntimeError {
  return new RuntimeError('conflict', `${file} is there already`, {
    details: { fix: 'choose another name, or --overwrite it' },
  });
}
