import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { RuntimeError } from '../../core/errors.ts';
import { findPackageRoot } from '../package-root.ts';
import { connectionConfig, loadDriver } from './connect-pool.ts';
import { toStorageFault } from './faults.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

const FILE_NAME = /^(\d{4})-[a-z0-9-]+\.sql$/;

/** Whoever else is starting on this database waits here. The number is ours alone: "pincer" in letters. */
const LOCK_KEY = 0x70696e636572;
const LOCK_TIMEOUT_MS = 60_000;
const MIGRATION_TIMEOUT_MS = 600_000;

/** Brings the database up to date, one transaction per migration; refuses a newer one untouched. */
export async function migrateDatabase(url: string): Promise<void> {
  const migrations = loadMigrations();
  const driver = await loadDriver();
  const client = new driver.Client({
    ...connectionConfig(driver, url),
    statement_timeout: MIGRATION_TIMEOUT_MS,
    query_timeout: MIGRATION_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    if ((await readVersion(client, migrations.length)) === migrations.length) return;
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    // Again, under the lock: whoever held it may have migrated.
    const version = await readVersion(client, migrations.length);
    if (version === 0) await assertVacant(client);
    for (const migration of migrations.slice(version)) await apply(client, migration);
  } catch (thrown) {
    throw toStorageFault(thrown);
  } finally {
    await client.end().catch(() => {});
  }
}

/** The numbered SQL files, in order. Their numbers count up from 1 without a hole. */
export function loadMigrations(): Migration[] {
  const directory = join(findPackageRoot(), 'migrations', 'postgres');
  const names = readdirSync(directory).filter((name) => FILE_NAME.test(name));
  return names.sort().map((name, index) => {
    const version = Number.parseInt(name, 10);
    if (version !== index + 1) {
      throw new RuntimeError('internal', `migration ${name} is out of order in ${directory}`);
    }
    return { version, name, sql: readFileSync(join(directory, name), 'utf8') };
  });
}

async function readVersion(client: Client, newestKnown: number): Promise<number> {
  const { rows: tables } = await client.query(`select to_regclass('schema_migrations') as found`);
  if (tables[0]?.found === null) return 0;
  const { rows } = await client.query('select max(version) as version from schema_migrations');
  const version = Number(rows[0]?.version ?? 0);
  if (version > newestKnown) {
    const message =
      `the database has version ${version}, but this claw knows versions up to ${newestKnown}: ` +
      'upgrade claw, or use a database of this version';
    throw new RuntimeError('conflict', message, { details: { version, newestKnown } });
  }
  return version;
}

async function assertVacant(client: Client): Promise<void> {
  const { rows } = await client.query(`select to_regclass('runs') as found`);
  if (rows[0]?.found === null) return;
  throw new RuntimeError('conflict', 'the database holds tables of another program');
}

const CREATE_VERSIONS =
  'create table if not exists schema_migrations ' +
  '(version integer primary key, name text not null, applied_at timestamptz not null default now())';

async function apply(client: Client, { version, name, sql }: Migration): Promise<void> {
  try {
    await client.query(`begin; ${CREATE_VERSIONS}; ${sql}`);
    await client.query('insert into schema_migrations (version, name) values ($1, $2)', [
      version,
      name,
    ]);
    await client.query('commit');
  } catch (thrown) {
    await client.query('rollback').catch(() => {});
    throw thrown;
  }
}
