import { join } from 'node:path';
import { silentLogger } from '../../src/core/log.ts';
import { connect, type Database } from '../../src/storage/sqlite/driver.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open-sqlite-storage.ts';
import { openTempRoot } from '../support/temp-root.ts';
import { type DataPlace, keepStorageOpen } from './kept-storage.ts';
import { describeStorage } from './storage.suite.ts';

for (const writer of ['inline', 'thread'] as const) {
  describeStorage(
    `sqlite (${writer} writer)`,
    keepStorageOpen(() => openPlace(writer)),
  );
}

async function openPlace(writer: 'inline' | 'thread'): Promise<DataPlace> {
  const root = await openTempRoot();
  const file = join(root.path, 'pincer.db');
  let cleaner: Cleaner | undefined;
  return {
    async open({ nowMs }) {
      const clock = { nowMs };
      const storage = await openSqliteStorage({ file, clock, writer, logger: silentLogger });
      // Before the first test writes: it looks at the rows that the migrations put there.
      cleaner ??= openCleaner(file);
      return storage;
    },
    async empty() {
      cleaner?.empty();
    },
    async remove() {
      cleaner?.close();
      await root.remove();
    },
  };
}

interface Cleaner {
  empty(): void;
  close(): void;
}

/** A connection that knows the rows of the migrations, and takes everything else away. */
function openCleaner(file: string): Cleaner {
  const db = connect(file, { readOnly: false });
  // Rows go in any order, and nothing here has to survive a power cut.
  db.exec('PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF');
  const tables = namesOfTables(db);
  const seeded = tables.filter((name) => db.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get());
  for (const name of seeded) db.exec(`CREATE TEMP TABLE seed_${name} AS SELECT * FROM ${name}`);
  // Those with seed rows last: triggers of the others change them.
  const plain = tables.filter((name) => !seeded.includes(name));
  const emptying = [
    'BEGIN IMMEDIATE',
    ...[...plain, ...seeded].map((name) => `DELETE FROM ${name}`),
    ...seeded.map((name) => `INSERT INTO ${name} SELECT * FROM temp.seed_${name}`),
    'COMMIT',
  ].join(';\n');
  return { empty: () => db.exec(emptying), close: () => db.close() };
}

function namesOfTables(db: Database): string[] {
  const select = db.prepare(
    "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  return select.all().map((row) => String(row['name']));
}
