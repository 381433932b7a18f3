import { rm } from 'node:fs/promises';
import { RuntimeError } from '../../core/errors.ts';
import { loadMigrations } from '../load-migrations.ts';
import { backup } from './driver.ts';
import { assertKnownFile, readVersion } from './migrate.ts';
import { createPrivate, openDatabase } from './open-database.ts';
import { toStorageFault } from './sqlite-fault.ts';

export interface DatabaseCopy {
  readonly file: string;
  /** Must not be there. */
  readonly target: string;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

export interface DatabaseSnapshot {
  /** How many migrations it has. */
  readonly version: number;
  /** Copies what was committed when the snapshot was taken, and nothing later. */
  copy(): Promise<void>;
  close(): void;
}

/** So many pages between two looks at the signal: 4 MiB. */
const PAGES_PER_STEP = 1_000;

/**
 * Pins what is committed now. SQLite's online backup starts over whenever somebody writes between two of its steps, so
 * beside a busy server it would never end; with a read transaction open it copies that one state, and writers go on in
 * the log.
 */
export function openSnapshot({ file, target, signal, onProgress }: DatabaseCopy): DatabaseSnapshot {
  assertKnownFile(file, loadMigrations('sqlite'));
  const db = openDatabase({ file, readOnly: true });
  try {
    db.exec('BEGIN');
    const version = readVersion(db);
    // The transaction begins with the first page that is read.
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return {
      version,
      async copy() {
        createPrivate(target);
        try {
          await backup(db, target, {
            rate: PAGES_PER_STEP,
            progress({ totalPages, remainingPages }) {
              signal.throwIfAborted();
              onProgress(totalPages - remainingPages, totalPages);
            },
          });
        } catch (error) {
          await rm(target, { force: true });
          signal.throwIfAborted();
          throw toStorageFault(error);
        }
      },
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw toStorageFault(error);
  }
}

/** Reads every page and index of a copy. Throws for one that is damaged. */
export function assertIntact(file: string): void {
  const db = openDatabase({ file, readOnly: true });
  try {
    const problem = db.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'];
    if (problem === 'ok') return;
    throw new RuntimeError(
      'storage_unavailable',
      `the copy of the database is damaged: ${problem}`,
      {
        details: { fix: 'claw doctor checks the database it was made of' },
      },
    );
  } catch (error) {
    throw toStorageFault(error);
  } finally {
    db.close();
  }
}
