import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { RuntimeError } from '../../core/errors.ts';
import { findPackageRoot } from '../package-root.ts';
import type { Database } from './driver.ts';
import { openDatabase } from './open-database.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

const FILE_NAME = /^(\d{4})-[a-z0-9-]+\.sql$/;

/** The numbered SQL files, in order. Their numbers count up from 1 without a hole. */
export function loadMigrations(
  directory = join(findPackageRoot(), 'migrations', 'sqlite'),
): Migration[] {
  const names = readdirSync(directory)
    .filter((name) => FILE_NAME.test(name))
    .sort();
  return names.map((name, index) => {
    const version = Number.parseInt(name, 10);
    if (version !== index + 1) {
      throw new RuntimeError('internal', `migration ${name} is out of order in ${directory}`);
    }
    return { version, name, sql: readFileSync(join(directory, name), 'utf8') };
  });
}

/**
 * Refuses a database that a newer claw has written, through a connection that can't write: opening it for writing
 * would already move its log into the file.
 */
export function assertNotNewer(file: string, migrations: readonly Migration[]): void {
  if (!existsSync(file) || statSync(file).size === 0) return;
  const db = openDatabase({ file, readOnly: true });
  try {
    assertKnown(db, file, migrations.length);
  } finally {
    db.close();
  }
}

/** Brings the database up to date, one transaction per migration. Safe when several processes start at once. */
export function migrate(db: Database, file: string, migrations: readonly Migration[]): void {
  while (readVersion(db) !== migrations.length) {
    // The lock first, then the version again: whoever else was starting may have migrated meanwhile.
    db.exec('BEGIN IMMEDIATE');
    try {
      const version = assertKnown(db, file, migrations.length);
      const next = migrations[version];
      if (next) db.exec(`${next.sql}\nPRAGMA user_version = ${next.version};`);
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
  if (version > newestKnown) {
    const message =
      `database ${file} has version ${version}, but this claw knows versions up to ${newestKnown}: ` +
      'upgrade claw, or use the state root of this version';
    throw new RuntimeError('conflict', message, { details: { version, newestKnown } });
  }
  if (version === 0 && hasTables(db)) {
    throw new RuntimeError('conflict', `${file} is a database of another program`);
  }
  return version;
}

function readVersion(db: Database): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
}

function hasTables(db: Database): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
}
