import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Engine } from './engine-hub.ts';
import { findEngine } from './find-engine.ts';

export interface Database {
  readonly name: string;
  readonly url: string;
}

export interface DatabaseTemplate {
  /** Names the template; databases with the same name are cloned from the same one. */
  readonly name: string;
  /** Brings an empty database to the state every clone starts from; runs once per test run. */
  readonly migrate: (url: string) => Promise<void>;
}

/** The PostgreSQL all test files share; each test works in a database of its own. */
export function findPostgres(): Promise<Engine> {
  return findEngine('postgres');
}

/** A fresh database: empty, or cloned from a migrated template. */
export async function createDatabase(template?: DatabaseTemplate): Promise<Database> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const source = template ? await ensureTemplate(template) : 'template0';
  await asAdmin((client) => client.query(`create database ${name} template ${source}`));
  return { name, url: await urlOf(name) };
}

/** Clones that are clean again, by template: making one costs ten times as much as emptying it. */
const spares = new Map<string, Database[]>();

/** As a fresh clone, for tests that change nothing but rows. It goes back with `returnDatabase`. */
export async function borrowDatabase(template: DatabaseTemplate): Promise<Database> {
  const spare = spares.get(template.name)?.pop();
  if (spare) return spare;
  const database = await createDatabase(template);
  await inDatabase(database.url, (client) => client.query(KEEP_SEED_ROWS));
  return database;
}

/** Brings it back to its template's rows, for the next file that borrows one; connections still open end. */
export async function returnDatabase(
  template: DatabaseTemplate,
  database: Database,
): Promise<void> {
  await inDatabase(database.url, async (client) => {
    await client.query(END_CONNECTIONS);
    await client.query(RESTORE_SEED_ROWS);
  });
  spares.set(template.name, [...(spares.get(template.name) ?? []), database]);
}

export interface DatabaseCleaner {
  /** Brings a borrowed database back to its template's rows and leaves the connections of others alone. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** For a database that is emptied many times: the connection knows its tables after the first. */
export async function openCleaner(database: Database): Promise<DatabaseCleaner> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return {
    empty: async () => void (await client.query(RESTORE_SEED_ROWS)),
    close: () => client.end(),
  };
}

const END_CONNECTIONS = `
select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

/** Tables that a migration put rows into, copied into a schema that no store looks at. */
const KEEP_SEED_ROWS = `
do $$
declare each record; is_seeded boolean;
begin
  create schema seed;
  for each in select tablename as name from pg_tables where schemaname = 'public' loop
    execute format('select exists (select from public.%I)', each.name) into is_seeded;
    if is_seeded then
      execute format('create table seed.%I as table public.%I', each.name, each.name);
    end if;
  end loop;
end $$`;

/** Rows are few: deleting them is cheaper than truncating, which makes new files for every table and index. */
const RESTORE_SEED_ROWS = `
do $$
declare each record;
begin
  -- Neither the order of foreign keys nor a trigger matters here.
  set local session_replication_role = replica;
  for each in select tablename as name from pg_tables where schemaname = 'public' loop
    execute format('delete from public.%I', each.name);
  end loop;
  for each in select tablename as name from pg_tables where schemaname = 'seed' loop
    execute format('insert into public.%I overriding system value table seed.%I', each.name, each.name);
  end loop;
  for each in select sequencename as name from pg_sequences where schemaname = 'public' loop
    execute format('alter sequence public.%I restart', each.name);
  end loop;
end $$`;

/** Also ends the connections that a test left open. */
export async function dropDatabase(database: Database): Promise<void> {
  await asAdmin((client) => client.query(`drop database if exists ${database.name} with (force)`));
}

async function ensureTemplate({ name, migrate }: DatabaseTemplate): Promise<string> {
  const template = `template_${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
  await asAdmin(async (client) => {
    // Held until the connection ends: the other test files wait for the first to migrate.
    await client.query('select pg_advisory_lock(hashtext($1))', [template]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      template,
    ]);
    if (rowCount !== 0) return;
    const draft = `${template}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft} template template0`);
    await migrate(await urlOf(draft));
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [draft],
    );
    await client.query(`alter database ${draft} rename to ${template}`);
  });
  return template;
}

async function asAdmin<T>(use: (client: pg.Client) => Promise<T>): Promise<T> {
  return inDatabase(await urlOf('postgres'), use);
}

async function inDatabase<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function urlOf(database: string): Promise<string> {
  const engine = await findPostgres();
  if (!engine.available) throw new Error(`no PostgreSQL: ${engine.reason}`);
  const url = new URL(engine.url);
  url.pathname = `/${database}`;
  return url.href;
}
