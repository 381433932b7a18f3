import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadMigrations } from '../../src/storage/load-migrations.ts';
import { connect } from '../../src/storage/sqlite/driver.ts';
import { migrate } from '../../src/storage/sqlite/migrate.ts';
import { findPostgres } from '../support/postgres.ts';
import { openTempRoot } from '../support/temp-root.ts';
import { connectAt, createTestDatabase } from './open-postgres.ts';

/** Columns of each table in order, as `name kind`, with a `?` when it may be null. */
type Schema = ReadonlyMap<string, readonly string[]>;

/** What only one of the engines has, and why. Everything else is the same on both. */
interface Difference {
  readonly why: string;
  /** Whole tables, or `table: column kind`. */
  readonly sqlite: readonly string[];
  readonly postgres: readonly string[];
}

const DIFFERENCES: readonly Difference[] = [
  {
    why: 'PostgreSQL knows by name what it has migrated; SQLite counts in the head of the file',
    sqlite: [],
    postgres: ['schema_migrations'],
  },
  {
    why: 'short numbers stand for text ids in the keys of SQLite: its index on events would be half again as big',
    sqlite: [
      'runs: no integer',
      'events: part_no integer',
      'idempotency_keys: run_no integer',
      'effects: run_no integer',
      'approvals: run_no integer',
      'frames: run_no integer',
      'job_firings: run_no integer?',
      'sessions: no integer',
      'session_messages: session_no integer',
      'session_summaries: session_no integer',
      'workers: no integer',
      'worker_events: worker_no integer',
      'worker_requests: worker_no integer',
    ],
    postgres: [
      'events: run_id text',
      'idempotency_keys: run_id text',
      'effects: run_id text',
      'approvals: run_id text',
      'frames: run_id text',
      'job_firings: run_id text?',
      'session_messages: session_id text',
      'session_summaries: session_id text',
      'worker_events: worker_id text',
      'worker_requests: worker_id text',
    ],
  },
  {
    why: 'SQLite reads the run anyway, for the id that its number stands for',
    sqlite: [],
    postgres: ['effects: agent_id text', 'approvals: agent_id text'],
  },
  {
    why: 'an append to each of many runs writes to few pages of the index of SQLite; PostgreSQL does not wait for pages',
    sqlite: ['log_parts'],
    postgres: [],
  },
  {
    why: 'SQLite rewrites a whole row with its long texts; PostgreSQL keeps those apart by itself',
    sqlite: ['run_texts'],
    postgres: ['runs: message text', 'runs: output text?'],
  },
  {
    why: 'an append of SQLite does not write the row of its run: the log itself says where it ends and when',
    sqlite: ['runs: final_seq integer?', 'runs: final_hash text?'],
    postgres: [
      'runs: last_seq integer',
      'runs: last_hash text',
      'runs: updated_at_ms integer',
      'runs: last_frame_seq integer',
    ],
  },
  {
    why: 'SQLite does not store the hash of the event before twice; PostgreSQL reads an event without the one before',
    sqlite: [],
    postgres: ['events: prev_hash text'],
  },
  {
    why: 'SQLite indexes the difference itself; in PostgreSQL every append would touch such an index',
    sqlite: [],
    postgres: ['runs: kept_events integer?'],
  },
  {
    why: 'SQLite has one writer, whose counters nobody waits for; in PostgreSQL writers would queue up for the row',
    sqlite: ['run_counts', 'effect_counts'],
    postgres: [],
  },
  {
    why: 'an index of PostgreSQL takes no long names, so places and frames are found by digests',
    sqlite: [
      'active_sessions: channel text',
      'active_sessions: user_id text',
      'active_sessions: room_id text',
      'active_agents: channel text',
      'active_agents: user_id text',
      'active_agents: room_id text',
    ],
    postgres: [
      'sessions: place text',
      'active_sessions: place text',
      'active_agents: place text',
      'frames: key text',
    ],
  },
  {
    why: 'in PostgreSQL the row is the lock of a place that has no session yet',
    sqlite: ['active_sessions: session_no integer'],
    postgres: ['active_sessions: session_id text?'],
  },
  {
    why: 'several nodes share a database of PostgreSQL: their records, and their secrets',
    sqlite: [],
    postgres: ['nodes', 'runs: recorder text?', 'secret_document'],
  },
];

/** Indexes that only one engine has, and why. */
const OTHER_INDEXES = {
  sqlite: {
    runs_by_lease: 'finds runs whose lease has run out; its lease is apart from the queue',
    events_by_run: 'the key of a table that is faster without one',
    log_parts_by_run: 'of a table that only it has',
    sessions_by_user: 'finds a user by name; PostgreSQL by the digest of the place',
  },
  postgres: {
    runs_claimable: 'one walk over all that may be claimed, locking as it goes',
    sessions_by_place: 'finds a place by its digest',
  },
};

// Says why when there is none.
const engine = await findPostgres();

test('both engines have the same set of migrations', () => {
  const names = (migrations: readonly { readonly name: string }[]) =>
    migrations.map(({ name }) => name);

  expect(names(loadMigrations('sqlite'))).toEqual(names(loadMigrations('postgres')));
});

describe.skipIf(!engine.available)('the schemas of SQLite and PostgreSQL', () => {
  test('have the same tables and columns but for what is listed with a reason', async () => {
    const [sqlite, postgres] = await Promise.all([readSqlite(), readPostgres()]);
    const only = (engine: 'sqlite' | 'postgres') =>
      DIFFERENCES.flatMap((difference) => difference[engine]);

    expect(surplus(sqlite.schema, postgres.schema)).toEqual(only('sqlite').toSorted());
    expect(surplus(postgres.schema, sqlite.schema)).toEqual(only('postgres').toSorted());
  });

  test('have the columns that they share in the same order', async () => {
    const [sqlite, postgres] = await Promise.all([readSqlite(), readPostgres()]);
    const shared = (schema: Schema, other: Schema) =>
      [...schema].flatMap(([table, columns]) => {
        const known = other.get(table);
        return known ? [[table, columns.filter((column) => known.includes(column))]] : [];
      });

    expect(shared(sqlite.schema, postgres.schema)).toEqual(shared(postgres.schema, sqlite.schema));
  });

  test('have indexes of the same names but for those listed with a reason', async () => {
    const [sqlite, postgres] = await Promise.all([readSqlite(), readPostgres()]);
    const without = (names: readonly string[], others: readonly string[]) =>
      names.filter((name) => !others.includes(name));

    expect(without(sqlite.indexes, postgres.indexes)).toEqual(
      Object.keys(OTHER_INDEXES.sqlite).toSorted(),
    );
    expect(without(postgres.indexes, sqlite.indexes)).toEqual(
      Object.keys(OTHER_INDEXES.postgres).toSorted(),
    );
  });
});

/** What the one has and the other has not: whole tables, or columns of tables that both have. */
function surplus(schema: Schema, other: Schema): string[] {
  return [...schema]
    .flatMap(([table, columns]) => {
      const known = other.get(table);
      if (!known) return [table];
      return columns
        .filter((column) => !known.includes(column))
        .map((column) => `${table}: ${column}`);
    })
    .toSorted();
}

interface Found {
  readonly schema: Schema;
  /** Those with a name of their own. */
  readonly indexes: readonly string[];
}

interface FoundColumn {
  readonly table: string;
  readonly column: string;
}

function toSchema(columns: readonly FoundColumn[]): Schema {
  const schema = new Map<string, string[]>();
  for (const { table, column } of columns)
    schema.set(table, [...(schema.get(table) ?? []), column]);
  return schema;
}

/** A flag is a whole number in SQLite, which has no other kind for it. */
async function readSqlite(): Promise<Found> {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const file = join(root.path, 'pincer.db');
  const db = connect(file, { readOnly: false });
  onTestFinished(() => db.close());
  migrate(db, file, loadMigrations('sqlite'));
  const columns = db.prepare(`
    SELECT tables.name AS "table", columns.name || ' ' || lower(columns.type) ||
      iif(columns."notnull" OR columns.pk, '', '?') AS "column"
    FROM sqlite_schema AS tables, pragma_table_xinfo(tables.name) AS columns
    WHERE tables.type = 'table' ORDER BY tables.name, columns.cid`);
  const indexes = db.prepare(`
    SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name`);
  return {
    schema: toSchema(columns.all() as unknown as FoundColumn[]),
    indexes: indexes.all().map(({ name }) => String(name)),
  };
}

async function readPostgres(): Promise<Found> {
  const client = await connectAt(await createTestDatabase('migrated'));
  const columns = await client.query<FoundColumn>(`
    select table_name::text as "table", column_name || ' ' || case data_type
      when 'bigint' then 'integer' when 'boolean' then 'integer' when 'double precision' then 'real'
      when 'bytea' then 'blob'
      else data_type end || case is_nullable when 'YES' then '?' else '' end as "column"
    from information_schema.columns where table_schema = 'public'
    order by table_name collate "C", ordinal_position`);
  const indexes = await client.query<{ name: string }>(`
    select i.relname::text as name from pg_index x join pg_class i on i.oid = x.indexrelid
    where i.relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conindid = x.indexrelid)
    order by i.relname collate "C"`);
  return { schema: toSchema(columns.rows), indexes: indexes.rows.map(({ name }) => name) };
}
