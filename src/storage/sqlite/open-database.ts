import { closeSync, existsSync, openSync } from 'node:fs';
import { RuntimeError } from '../../core/errors.ts';
import { connect, type Database } from './driver.ts';
import { isBusy, toStorageFault } from './sqlite-fault.ts';

/** A writer holds the lock for one short transaction: whoever waits longer than this has met a stuck process. */
const BUSY_TIMEOUT_MS = 5_000;

// Both connections together stay far below what an idle process may take.
const CACHE_KIB = 4_096;
// Four megabytes of log between checkpoints, SQLite's default: more gained nothing and makes each one stall longer.
const CHECKPOINT_PAGES = 1_000;
const MAX_IDLE_LOG_BYTES = 16 * 1024 * 1024;

export interface DatabaseConfig {
  readonly file: string;
  readonly readOnly: boolean;
}

export function openDatabase(config: DatabaseConfig): Database {
  if (!config.readOnly) createPrivate(config.file);
  try {
    const db = connect(config.file, { readOnly: config.readOnly });
    try {
      configure(db, config.readOnly);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    throw toStorageFault(error);
  }
}

/**
 * Created by us first, so that nobody else may read it; SQLite gives its log the same mode. A file that exists is not
 * opened: closing it again would drop the locks that SQLite holds on it in this process.
 */
export function createPrivate(file: string): void {
  try {
    if (!existsSync(file)) closeSync(openSync(file, 'ax', 0o600));
  } catch (error) {
    // Another process was faster.
    if (existsSync(file)) return;
    const message = `storage is unavailable: database ${file} could not be created`;
    throw new RuntimeError('storage_unavailable', message, { cause: error });
  }
}

function configure(db: Database, readOnly: boolean): void {
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  if (!readOnly) enableLog(db);
  db.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA cache_size = -${CACHE_KIB};
    PRAGMA temp_store = MEMORY;
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
    PRAGMA journal_size_limit = ${MAX_IDLE_LOG_BYTES};
  `);
}

const RETRY_MS = 20;

/** The switch to WAL does not honour the busy timeout, and several processes may make it at once on a new file. */
function enableLog(db: Database): void {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || waitedMs >= BUSY_TIMEOUT_MS) throw error;
      Atomics.wait(clock, 0, 0, RETRY_MS);
    }
  }
}

/**
 * Closes the connection that writes. It moves the log into the database first, so that the file alone is complete
 * after a clean stop. SQLite does so by itself when the last connection closes, but below Node 24 a connection lives
 * on, out of reach, until its statements are collected.
 */
export function closeWritten(db: Database): void {
  try {
    // Not waiting for the readers of other processes: whoever closes last completes the file.
    db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Nothing is lost: the log holds what the file does not.
  }
  db.close();
}
