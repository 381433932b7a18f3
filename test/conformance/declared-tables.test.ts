import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RECENT_CALLS } from '../../src/core/integrations/stored-calls.ts';
import { silentLogger } from '../../src/core/log.ts';
import { ask } from '../../src/core/store/need.ts';
import type { Tables } from '../../src/core/store/tables.ts';
import { loadMigrations } from '../../src/storage/load-migrations.ts';
import { openDatabase } from '../../src/storage/postgres/database.ts';
import { toQuestion } from '../../src/storage/postgres/table-statements.ts';
import { createTables } from '../../src/storage/postgres/tables.ts';
import { connect, type Database } from '../../src/storage/sqlite/driver.ts';
import { migrate } from '../../src/storage/sqlite/migrate.ts';
import { createLoad, createPrepare, SQLITE } from '../../src/storage/sqlite/table-reads.ts';
import { createTableWrites } from '../../src/storage/sqlite/table-writes.ts';
import type { Column, Kind } from '../../src/storage/tables/column.ts';
import { QUERIES, TABLES } from '../../src/storage/tables/declared.ts';
import { renderQuery } from '../../src/storage/tables/render.ts';
import { findPostgres } from '../support/postgres.ts';
import { openTempRoot } from '../support/temp-root.ts';
import { connectAt, createTestDatabase } from './open-postgres.ts';
import { describeTables } from './tables.suite.ts';

/** Columns that no declaration has: the order in which rows came, for queries that ask for it. */
const COUNTED = ['delivery_events', 'mail', 'suppressions'];

const SQLITE_TYPES: Readonly<Record<Kind, string>> = {
  text: 'TEXT',
  id: 'TEXT',
  ordered: 'TEXT',
  json: 'TEXT',
  loose: 'TEXT',
  ms: 'INTEGER',
  int: 'INTEGER',
  real: 'REAL',
  flag: 'INTEGER',
  blob: 'BLOB',
};

const POSTGRES_TYPES: Readonly<Record<Kind, string>> = {
  text: 'text',
  id: 'text',
  ordered: 'text',
  json: 'text',
  loose: 'text',
  ms: 'bigint',
  int: 'bigint',
  real: 'double precision',
  flag: 'boolean',
  blob: 'bytea',
};

interface FoundTable {
  /** As `name type`, with a `?` when it may be null; sorted. */
  readonly columns: readonly string[];
  /** What rows are unique by: each as the names of its columns, in the order of the index. */
  readonly keys: readonly string[];
}

function declaredColumns(name: string, columns: readonly Column[], types: typeof SQLITE_TYPES) {
  const declared = columns.map(
    (column) => `${column.name} ${types[column.kind]}${column.isOptional ? '?' : ''}`,
  );
  return [...declared, ...(COUNTED.includes(name) ? [`no ${types.int}`] : [])].toSorted();
}

const keyOf = (columns: readonly Column[]) => columns.map(({ name }) => name).join(' ');

async function openSqlite(): Promise<Database> {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const file = join(root.path, 'pincer.db');
  const db = connect(file, { readOnly: false });
  onTestFinished(() => db.close());
  migrate(db, file, loadMigrations('sqlite'));
  return db;
}

function readSqliteTable(db: Database, name: string): FoundTable {
  const columns = db.prepare(`
    SELECT name || ' ' || type || iif("notnull" OR pk, '', '?') AS "column"
    FROM pragma_table_xinfo(?) ORDER BY 1`);
  const keys = db.prepare(`
    SELECT group_concat(name, ' ') AS "key" FROM (
      SELECT one.name AS "index", columns.name FROM pragma_index_list(?) AS one,
        pragma_index_info(one.name) AS columns
      WHERE one."unique" AND NOT one.partial ORDER BY one.name, columns.seqno
    ) GROUP BY "index"
    UNION ALL SELECT name FROM pragma_table_xinfo(?) WHERE pk AND type = 'INTEGER'`);
  return {
    columns: columns.all(name).map(({ column }) => String(column)),
    keys: keys.all(name, name).map(({ key }) => String(key)),
  };
}

describe('the declared tables in SQLite', () => {
  test('have the columns that are declared, and a key to tell rows by', async () => {
    const db = await openSqlite();
    for (const { name, columns, key } of TABLES) {
      const found = readSqliteTable(db, name);

      expect(found.columns, name).toEqual(declaredColumns(name, columns, SQLITE_TYPES));
      expect(found.keys, name).toContain(keyOf(key));
    }
  });

  test('can answer every query, with the columns that are declared', async () => {
    const db = await openSqlite();
    for (const query of QUERIES) {
      const { text } = renderQuery(SQLITE, query, { params: {}, nowMs: 0 });
      const names = db.prepare(text).columns();

      expect(
        names.map(({ name }) => name),
        query.of.name,
      ).toEqual(query.answer.map(({ name }) => name));
    }
  });
});

describeTables('sqlite', async (nowMs): Promise<Tables> => {
  const db = await openSqlite();
  const load = createLoad(createPrepare(db), nowMs);
  const { perform } = createTableWrites({ db, nowMs });
  return {
    load: async (need) => load(need),
    async write(write, given) {
      db.exec('BEGIN IMMEDIATE');
      try {
        const value = perform(write, given);
        db.exec('COMMIT');
        return value;
      } catch (thrown) {
        db.exec('ROLLBACK');
        throw thrown;
      }
    },
  };
});

// Says why when there is none.
const engine = await findPostgres();

describe.skipIf(!engine.available)('the declared tables in PostgreSQL', () => {
  test('have the columns that are declared, and a key to tell rows by', async () => {
    const client = await connectAt(await createTestDatabase('migrated'));
    for (const { name, columns, key } of TABLES) {
      const found = await client.query<{ column: string }>(
        `select column_name || ' ' || case data_type when 'integer' then 'bigint' else data_type end
           || case is_nullable when 'YES' then '?' else '' end as column
         from information_schema.columns where table_schema = 'public' and table_name = $1
         order by column_name collate "C"`,
        [name],
      );
      const keys = await client.query<{ key: string }>(
        `select (select string_agg(a.attname, ' ' order by place.no)
           from unnest(x.indkey::int[]) with ordinality as place (attnum, no)
           join pg_attribute a on a.attrelid = x.indrelid and a.attnum = place.attnum) as key
         from pg_index x where x.indrelid = $1::regclass and x.indisunique and x.indpred is null`,
        [name],
      );

      expect(
        found.rows.map(({ column }) => column),
        name,
      ).toEqual(declaredColumns(name, columns, POSTGRES_TYPES));
      expect(
        keys.rows.map((row) => row.key),
        name,
      ).toContain(keyOf(key));
    }
  });

  test('can answer every query, with the columns that are declared', async () => {
    const client = await connectAt(await createTestDatabase('migrated'));
    for (const { of: query, answer } of QUERIES) {
      const question = toQuestion({ need: 'ask', query, params: {} }, null);
      const { text = '', values = [] } = question?.statement ?? {};
      const { fields } = await client.query(text, [...values]);

      expect(
        fields.map(({ name }) => name),
        query.name,
      ).toEqual(answer.map(({ name }) => name));
    }
  });

  test('find the recent calls of an owner by their time, however many there are', async () => {
    const client = await connectAt(await createTestDatabase('migrated'));
    await client.query('set enable_seqscan = off');
    const call = { scope: 'run_1', callId: 'c', integrationId: 'i', owner: 'o' };
    const question = toQuestion(ask(RECENT_CALLS, { ...call, windowMs: 1, max: 1 }), null);
    const { text = '', values = [] } = question?.statement ?? {};

    const { rows } = await client.query(`explain ${text}`, [...values]);

    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Cond: .*opened_at_ms >/);
  });

  describeTables('postgres', async (nowMs) => {
    const url = await createTestDatabase('migrated');
    const database = await openDatabase({ url, logger: silentLogger });
    onTestFinished(() => database.close());
    return createTables({ database, nowMs });
  });
});
