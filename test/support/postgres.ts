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
  const client = new pg.Client({ connectionString: await urlOf('postgres') });
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
