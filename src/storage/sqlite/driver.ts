import { createRequire } from 'node:module';
import type * as Sqlite from 'node:sqlite';

export type Database = Sqlite.DatabaseSync;
export type Statement = Sqlite.StatementSync;

type Driver = Pick<typeof Sqlite, 'DatabaseSync' | 'backup'>;

const BUILT_IN_SINCE = 24;

let loaded: Driver | undefined;

/**
 * The SQLite driver, loaded on first use: a program that opens no database does not pay for it. Node has it built in
 * since 22, but warns on every start until 24; below that a package with the same interface stands in.
 *
 * Whoever uses a statement must keep its connection referenced: the stand-in crashes the process otherwise.
 */
function loadDriver(): Driver {
  if (!loaded) {
    const require = createRequire(import.meta.url);
    const major = Number.parseInt(process.versions.node, 10);
    loaded = require(major >= BUILT_IN_SINCE ? 'node:sqlite' : '@photostructure/sqlite') as Driver;
  }
  return loaded;
}

export function connect(file: string, options: { readonly readOnly: boolean }): Database {
  const { DatabaseSync } = loadDriver();
  return new DatabaseSync(file, options);
}

/** Copies a database page by page, off this thread. A `progress` that throws ends it. */
export const backup: Driver['backup'] = (db, target, options) =>
  loadDriver().backup(db, target, options);
