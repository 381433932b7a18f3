import { existsSync, statSync } from 'node:fs';
import { RuntimeError } from '../../core/errors.ts';
import type { Migration } from '../load-migrations.ts';
import type { Database } from './driver.ts';
import { openDatabase } from './open-database.ts';

/** "pinc" in letters. Says that the file is ours and that its version counts the files of this set. */
const APPLICATION_ID = 0x70696e63;

/** Before the first release another set of files was counted up to here, without that mark. */
const LAST_UNMARKED_VERSION = 12;

/**
 * Refuses a database that another claw or another program has written, through a connection that can't write: opening
 * it for writing would already move its log into the file.
 */
export function assertKnownFile(file: string, migrations: readonly Migration[]): void {
  if (!existsSync(file) || statSync(file).size === 0) return;
  const db = openDatabase({ file, readOnly: true });
  try {
    assertKnown(db, file, migrations.length);
  } finally {
    db.close();
  }
}

const MARK = `PRAGMA application_id = ${APPLICATION_ID};`;

/** Brings the database up to date, one transaction per migration. Safe when several processes start at once. */
export function migrate(db: Database, file: string, migrations: readonly Migration[]): void {
  while (assertKnown(db, file, migrations.length) !== migrations.length) {
    // The lock first, then the version again: whoever else was starting may have migrated meanwhile.
    db.exec('BEGIN IMMEDIATE');
    try {
      const version = assertKnown(db, file, migrations.length);
      const next = migrations[version];
      if (next) db.exec(`${next.sql}\n${MARK} PRAGMA user_version = ${next.version};`);
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }
}

/** A read-only connection can't migrate, so only the exact version will do. */
export function assertCurrent(db: Database, file: string, migrations: readonly Migration[]): void {
  const version = assertKnown(db, file, migrations.length);
  if (version !== migrations.length) {
    const message = `database ${file} has version ${version} and needs ${migrations.length}: start claw once to migrate it`;
    throw new RuntimeError('storage_unavailable', message, { retryable: false });
  }
}

function assertKnown(db: Database, file: string, newestKnown: number): number {
  const version = readVersion(db);
  const mark = readNumber(db, 'application_id');
  if (mark !== 0 && mark !== APPLICATION_ID) throw ofAnotherProgram(file);
  if (mark === 0 && version > 0 && version <= LAST_UNMARKED_VERSION && hasTable(db, 'runs')) {
    throw tooOld(file, version);
  }
  if (version > newestKnown) {
    const message =
      `database ${file} has version ${version}, but this claw knows versions up to ${newestKnown}: ` +
      'upgrade claw, or use the state root of this version';
    throw new RuntimeError('conflict', message, { details: { version, newestKnown } });
  }
  if (mark === 0 && hasTables(db)) throw ofAnotherProgram(file);
  return version;
}

function ofAnotherProgram(file: string): RuntimeError {
  return new RuntimeError('conflict', `${file} is a database of another program`);
}

function tooOld(file: string, version: number): RuntimeError {
  const fix = 'move it away and start claw again, or use another state root';
  const message = `database ${file} was made by a claw from before the first release, and can not be migrated`;
  return new RuntimeError('conflict', message, { details: { version, fix } });
}

export function readVersion(db: Database): number {
  return readNumber(db, 'user_version');
}

function readNumber(db: Database, pragma: 'user_version' | 'application_id'): number {
  return Number(db.prepare(`PRAGMA ${pragma}`).get()?.[pragma]);
}

function hasTable(db: Database, name: string): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
}

function hasTables(db: Database): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
}
