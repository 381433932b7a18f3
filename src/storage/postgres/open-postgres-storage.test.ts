import { describe, expect, test } from 'vitest';
import {
  claimRequest,
  createRun,
  draft,
  MANY,
  newRun,
  openRig,
  readAll,
} from '../../../test/conformance/harness.ts';
import { keepStorageOpen } from '../../../test/conformance/kept-storage.ts';
import {
  connectAt,
  createTestDatabase,
  openPostgresPlace,
  openStorageAt,
} from '../../../test/conformance/open-postgres.ts';
import {
  answerTo,
  attach,
  newRequest,
  record,
} from '../../../test/conformance/workers/worker-rig.ts';
import { findPostgres } from '../../../test/support/postgres.ts';
import type { AgentId, RunId } from '../../core/ids.ts';
import { silentLogger } from '../../core/log.ts';
import { loadMigrations } from '../load-migrations.ts';
import { openPostgresStorage } from './open-postgres-storage.ts';

const VERSIONS = loadMigrations('postgres').map(({ version }) => version);

// Says why when there is none.
const engine = await findPostgres();

describe.skipIf(!engine.available)('openPostgresStorage', () => {
  const open = keepStorageOpen(openPostgresPlace);

  test('migrates an empty database once when several processes start on it', async () => {
    const url = await createTestDatabase('empty');

    const storages = await Promise.all([
      openStorageAt(url),
      openStorageAt(url),
      openStorageAt(url),
    ]);

    for (const storage of storages) await storage.ping();
    const { rows } = await (await connectAt(url)).query('select version from schema_migrations');
    expect(rows.map(({ version }) => version)).toEqual(VERSIONS);
  });

  test('tells other processes of the events of workers at once', async () => {
    const url = await createTestDatabase('migrated');
    const [here, there] = await Promise.all([openStorageAt(url), openStorageAt(url)]);
    const told: string[] = [];
    // Watchers are not polled: nothing but the news of the commit reaches them.
    there.wakeups.watchWorkers((id) => told.push(id));

    const { id } = await attach(here);
    await here.workers.begin(newRequest(id, { requestId: 'r' }));
    await here.workers.settle({ workerId: id, requestId: 'r', response: answerTo('r') });
    await record(here, { id, status: 'stopped', drafts: [] });
    await record(here, { id, status: 'stopped', drafts: [], from: ['stopped'] });

    await expect.poll(() => told).toEqual([id, id, id]);
  });

  test('refuses a newer database and leaves it as it is', async () => {
    const url = await createTestDatabase('migrated');
    const client = await connectAt(url);
    await client.query(`insert into schema_migrations (version, name) values (9999, 'later')`);
    await client.query('drop table agents');
    const tables = `select relname from pg_class where relkind in ('r', 'i') and relnamespace = 'public'::regnamespace order by 1`;
    const before = await client.query(tables);

    const opening = openPostgresStorage({ url, logger: silentLogger });

    await expect(opening).rejects.toMatchObject({
      code: 'conflict',
      details: { version: 9999, newestKnown: VERSIONS.length },
    });
    expect((await client.query(tables)).rows).toEqual(before.rows);
  });

  test('refuses a set of tables from before the first release and leaves it as it is', async () => {
    const url = await createTestDatabase('migrated');
    const client = await connectAt(url);
    // As many versions as there are now: nothing but the names tell them apart.
    await client.query(`update schema_migrations set name = '0001-runs.sql' where version = 1`);
    await client.query('drop table agents');

    const opening = openPostgresStorage({ url, logger: silentLogger });

    await expect(opening).rejects.toMatchObject({
      code: 'conflict',
      message:
        'the database was made by a claw from before the first release, and can not be migrated',
      details: { fix: 'use an empty database' },
    });
    const { rows } = await client.query(`select to_regclass('agents') as found`);
    expect(rows).toEqual([{ found: null }]);
  });

  test.each([
    ['runs', 'distance_km integer'],
    ['jobs', 'title text'],
    ['schema_migrations', 'version varchar'],
  ])('refuses the %s of another program and leaves the database as it is', async (name, column) => {
    const url = await createTestDatabase('empty');
    const client = await connectAt(url);
    await client.query(`create table ${name} (${column})`);

    const opening = openPostgresStorage({ url, logger: silentLogger });

    await expect(opening).rejects.toMatchObject({
      code: 'conflict',
      message: 'the database holds tables of another program',
    });
    const { rows } = await client.query('select tablename from pg_tables where schemaname = $1', [
      'public',
    ]);
    expect(rows).toEqual([{ tablename: name }]);
  });

  test('commits once when a watcher of runs fails', async () => {
    const { runs, events, storage } = await openRig(open, { isNew: true });
    storage.wakeups.watchRuns(() => {
      throw new Error('a broken watcher');
    });

    const run = await createRun(runs);

    expect((await readAll(events, run.id)).map((event) => event.type)).toEqual(['run.created']);
  });

  test('says that the server is unreachable, without the password', async () => {
    const url = 'postgres://pincer:hunter2@127.0.0.1:1/pincer';

    const opening = openPostgresStorage({ url, logger: silentLogger });

    await expect(opening).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: 'postgres is unreachable (ECONNREFUSED)',
    });
  });

  test('says that the database does not exist', async () => {
    const url = (await createTestDatabase('empty')).replace(/[^/]+$/, 'test_absent');

    const opening = openPostgresStorage({ url, logger: silentLogger });

    await expect(opening).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: 'postgres refused the operation (3D000)',
    });
  });

  test('refuses a url of something else, without showing it', async () => {
    const opening = openPostgresStorage({ url: 'mysql://a:hunter2@b/c', logger: silentLogger });

    await expect(opening).rejects.toMatchObject({
      code: 'config_invalid',
      message: 'the database url is not a postgres:// url',
    });
  });

  test("dates runs, events and leases by the database's clock", async () => {
    const url = await createTestDatabase('migrated');
    const storage = await openStorageAt(url);
    const client = await connectAt(url);
    const now = async (): Promise<number> => {
      const sql = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms';
      return Number((await client.query(sql)).rows[0].ms);
    };

    const beforeMs = await now();
    const run = await createRun(storage.runs);
    const claimed = await storage.runs.claim(claimRequest({ leaseMs: 60_000 }));
    const afterMs = await now();

    const [created, started] = await readAll(storage.events, run.id);
    const times = [run.createdAtMs, created?.atMs, started?.atMs, claimed?.run.startedAtMs];
    const leasedAtMs = (claimed?.lease.expiresAtMs ?? 0) - 60_000;
    for (const ms of [...times, leasedAtMs]) {
      expect(ms).toBeGreaterThanOrEqual(beforeMs);
      expect(ms).toBeLessThanOrEqual(afterMs);
    }
  });

  test('fails only the culprit of a batch', async () => {
    const { runs } = await openRig(open);
    const create = (source: string) =>
      runs.create(newRun({ source }), [draft('run.created')], { maxQueued: MANY });

    const results = await Promise.allSettled([create('http'), create('a\0b'), create('cli')]);

    expect(results).toMatchObject([
      { status: 'fulfilled', value: { outcome: 'created', run: { source: 'http' } } },
      { status: 'rejected', reason: { code: 'invalid_input' } },
      { status: 'fulfilled', value: { outcome: 'created', run: { source: 'cli' } } },
    ]);
    expect(await runs.countByStatus()).toMatchObject({ queued: 2 });
  });

  test('finds nothing under ids that can not be stored', async () => {
    const { runs, events, storage } = await openRig(open);
    await createRun(runs);

    expect(await runs.find('run_\0' as RunId)).toBe(undefined);
    expect(await events.read('run_\0' as RunId, { after: 0, limit: 10 })).toEqual([]);
    expect(await storage.agents.find('a\0' as AgentId)).toBe(undefined);
    expect(await runs.list({ agentId: 'a\0' as AgentId, limit: 10 })).toEqual({
      runs: [],
      next: undefined,
    });
  });

  test('gives each run to one claimer when two nodes race', async () => {
    const { runs, openBeside } = await openRig(open);
    const beside = await openBeside();
    const created = await Promise.all(Array.from({ length: 60 }, () => createRun(runs)));

    const claimed = await Promise.all(
      [runs, beside.runs].flatMap((store) =>
        Array.from({ length: 40 }, () => store.claim(claimRequest())),
      ),
    );

    const ids = claimed.flatMap((claim) => claim?.run.id ?? []);
    expect(ids.toSorted()).toEqual(created.map((run) => run.id).toSorted());
  });

  test('creates one run when two nodes race with one idempotency key', async () => {
    const { runs, openBeside } = await openRig(open);
    const beside = await openBeside();
    const options = { maxQueued: MANY, idempotency: { key: 'k\0', digest: 'd' } };

    const results = await Promise.all(
      [runs, beside.runs, runs, beside.runs].map((store) =>
        store.create(newRun(), [draft('run.created')], options),
      ),
    );

    expect(results.map((result) => result.outcome).toSorted()).toEqual([
      'created',
      'replayed',
      'replayed',
      'replayed',
    ]);
    expect(await runs.countByStatus()).toMatchObject({ queued: 1 });
  });
});
