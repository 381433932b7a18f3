import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { systemClock } from './core/clock.ts';
import { RuntimeError, toRuntimeError } from './core/errors.ts';
import { silentLogger } from './core/log.ts';
import type { AppliedMigration } from './storage/postgres/migrate.ts';
import type { StoreState } from './surfaces/cli/commands/doctor/diagnosis.ts';

const REDIS_TIMEOUT_MS = 2_000;
/** The oldest that docs/operations.md promises. */
const MIN_POSTGRES = 13;

const EMBEDDED_FIX =
  'stop what uses it and check its permissions; if it is damaged, restore a backup as docs/operations.md says';
const POSTGRES_FIX =
  'start it, correct DATABASE_URL, or unset it to use the embedded database instead';

export function checkEmbedded(file: string): Promise<StoreState> {
  return suggesting(EMBEDDED_FIX, () => examineEmbedded(file));
}

async function examineEmbedded(file: string): Promise<StoreState> {
  if (!existsSync(file))
    return { state: 'absent', summary: 'no database yet: the first start creates it' };
  const { openDatabase } = await import('./storage/sqlite/open-database.ts');
  const { assertKnownFile, readVersion } = await import('./storage/sqlite/migrate.ts');
  const { loadMigrations } = await import('./storage/load-migrations.ts');
  const { toStorageFault } = await import('./storage/sqlite/sqlite-fault.ts');
  const migrations = loadMigrations('sqlite');
  assertKnownFile(file, migrations);
  const logBytes = await sizeOf(`${file}-wal`);
  const size = `${((await sizeOf(file)) / 1024 ** 2).toFixed(1)} MiB`;
  const db = openDatabase({ file, readOnly: true });
  try {
    const problem = db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
    if (problem !== 'ok') {
      const message = `the database ${file} is damaged: ${String(problem)}`;
      throw new RuntimeError('storage_unavailable', message, {
        details: { fix: 'stop the server and restore a backup' },
      });
    }
    const version = readVersion(db);
    if (version === migrations.length) {
      const summary = `SQLite at ${file}, version ${version}, ${size}, intact`;
      return { state: 'ready', summary, logBytes };
    }
    return {
      state: 'old',
      summary: `SQLite at ${file} has version ${version} of ${migrations.length}`,
    };
  } catch (thrown) {
    throw toStorageFault(thrown);
  } finally {
    db.close();
  }
}

export function checkPostgres(url: string): Promise<StoreState> {
  return suggesting(POSTGRES_FIX, () => examinePostgres(url));
}

interface PostgresFacts {
  readonly release: number;
  readonly nowMs: number;
  readonly isThere: boolean;
}

async function examinePostgres(url: string): Promise<StoreState> {
  const { openDatabase } = await import('./storage/postgres/database.ts');
  const { LIST_APPLIED, assertOfThisSet } = await import('./storage/postgres/migrate.ts');
  const { loadMigrations } = await import('./storage/load-migrations.ts');
  const database = await openDatabase({ url, logger: silentLogger });
  const readAll = <Row>(name: string, text: string) =>
    database.read<Row>({ name, text, values: [] });
  const read = async <Row>(name: string, text: string) => (await readAll<Row>(name, text))[0];
  try {
    // Once to connect, so that the second look takes no longer than a question does.
    await read('doctor_hello', 'select 1');
    const askedAtMs = systemClock.nowMs();
    const facts = await read<PostgresFacts>(
      'doctor_facts',
      `select current_setting('server_version_num')::int / 10000 as "release",
        (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs",
        to_regclass('schema_migrations') is not null as "isThere"`,
    );
    const midwayMs = (askedAtMs + systemClock.nowMs()) / 2;
    const { release = 0, nowMs = midwayMs, isThere = false } = facts ?? {};
    const clockAheadMs = Math.round(nowMs - midwayMs);
    if (release < MIN_POSTGRES) throw tooOld(release);
    if (!isThere) {
      const summary = `PostgreSQL ${release} answers and is empty yet: the first start fills it`;
      return { state: 'absent', summary, clockAheadMs };
    }
    const migrations = loadMigrations('postgres');
    const applied = await readAll<AppliedMigration>('doctor_versions', LIST_APPLIED);
    assertOfThisSet(applied, migrations);
    const newest = migrations.length;
    const version = applied.at(-1)?.version ?? 0;
    if (version > newest) throw tooNew(version, newest);
    return version === newest
      ? {
          state: 'ready',
          summary: `PostgreSQL ${release} answers, version ${version}`,
          clockAheadMs,
        }
      : { state: 'old', summary: `PostgreSQL has version ${version} of ${newest}`, clockAheadMs };
  } finally {
    await database.close();
  }
}

export async function pingRedis(url: string): Promise<void> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: REDIS_TIMEOUT_MS,
    commandTimeout: REDIS_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // Reported by the call below; without a listener it would be printed as well.
  redis.on('error', () => {});
  try {
    await redis.connect();
    await redis.ping();
  } catch (cause) {
    throw new RuntimeError('storage_unavailable', 'the server at REDIS_URL does not answer', {
      cause,
      details: { fix: 'start it, or unset REDIS_URL to do without' },
    });
  } finally {
    redis.disconnect();
  }
}

function tooOld(release: number): RuntimeError {
  return new RuntimeError('storage_unavailable', `PostgreSQL ${release} is too old`, {
    details: { fix: `install PostgreSQL ${MIN_POSTGRES} or newer` },
  });
}

function tooNew(version: number, newest: number): RuntimeError {
  const message = `the database has version ${version}, but this claw knows versions up to ${newest}`;
  return new RuntimeError('conflict', message, {
    details: { fix: 'upgrade claw, or use a database of this version' },
  });
}

/** A fault says what is wrong; what to do about it depends on where it was met. */
async function suggesting<T>(fix: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error = toRuntimeError(thrown);
    if (error.details?.['fix'] !== undefined) throw error;
    const details = { ...error.details, fix };
    throw new RuntimeError(error.code, error.message, { cause: error.cause, details });
  }
}

function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
