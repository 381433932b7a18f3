import type { Client } from 'pg';
import { RuntimeError } from '../../core/errors.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { loadMigrations, type Migration } from '../load-migrations.ts';
import { connectionConfig, loadDriver } from './connect-pool.ts';
import { toStorageFault } from './faults.ts';

/** Whoever else is starting on this database waits here. The number is ours alone: "pincer" in letters. */
const LOCK_KEY = 0x70696e636572;
const LOCK_TIMEOUT_MS = 60_000;
const MIGRATION_TIMEOUT_MS = 600_000;

/** Brings the database up to date, one transaction per migration; refuses a newer one untouched. */
export async function migrateDatabase(url: string): Promise<void> {
  const migrations = loadMigrations('postgres');
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
    if ((await readVersion(client, migrations)) === migrations.length) return;
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    // Again, under the lock: whoever held it may have migrated.
    const version = await readVersion(client, migrations);
    if (version === 0) await assertVacant(client, migrations);
    for (const migration of migrations.slice(version)) await apply(client, migration);
  } catch (thrown) {
    throw toStorageFault(thrown);
  } finally {
    await client.end().catch(() => {});
  }
}

export interface AppliedMigration {
  readonly version: number;
  readonly name: string;
}

export const LIST_APPLIED = 'select version, name from schema_migrations order by version';

/** Before the first release there was another set of files: a database of it has the numbers, and other tables. */
export function assertOfThisSet(
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
): void {
  const isOther = ({ version, name }: AppliedMigration) =>
    (known[version - 1]?.name ?? name) !== name;
  if (!applied.some(isOther)) return;
  const fix = 'use an empty database';
  const message =
    'the database was made by a claw from before the first release, and can not be migrated';
  throw new RuntimeError('conflict', message, { details: { fix } });
}

async function readVersion(client: Client, known: readonly Migration[]): Promise<number> {
  const { rows: tables } = await client.query(`select to_regclass('schema_migrations') as found`);
  if (tables[0]?.found === null) return 0;
  const { rows } = await client.query<AppliedMigration>(LIST_APPLIED).catch((thrown) => {
    throw errnoOf(thrown) === UNDEFINED_COLUMN ? ofAnotherProgram() : thrown;
  });
  assertOfThisSet(rows, known);
  const version = rows.at(-1)?.version ?? 0;
  const newestKnown = known.length;
  if (version > newestKnown) {
    const message =
      `the database has version ${version}, but this claw knows versions up to ${newestKnown}: ` +
      'upgrade claw, or use a database of this version';
    throw new RuntimeError('conflict', message, { details: { version, newestKnown } });
  }
  return version;
}

/** A table of that name is there, and not ours. */
const UNDEFINED_COLUMN = '42703';

function ofAnotherProgram(): RuntimeError {
  return new RuntimeError('conflict', 'the database holds tables of another program');
}

/** Before the first of them is made: some of ours among somebody else's would be hard to tell apart. */
async function assertVacant(client: Client, migrations: readonly Migration[]): Promise<void> {
  const names = migrations.flatMap(({ sql }) =>
    [...sql.matchAll(/^create table (\w+)/gm)].map(([, name]) => name),
  );
  const { rows } = await client.query(
    'select 1 from unnest($1::text[]) as name where to_regclass(name) is not null limit 1',
    [names],
  );
  if (rows.length > 0) throw ofAnotherProgram();
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
