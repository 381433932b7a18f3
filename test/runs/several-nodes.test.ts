import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { prepareStateRoot } from '../../src/config/state-root/state-root.ts';
import { createIds } from '../../src/core/create-ids.ts';
import { toRuntimeError } from '../../src/core/errors.ts';
import { createSeal } from '../../src/core/events/seal.ts';
import { DEFAULT_AGENT_ID } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/log.ts';
import type { ClaimRequest } from '../../src/core/runs/run-store.ts';
import { type OpenedStorage, openStorage } from '../../src/open-storage.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { connectAt } from '../conformance/open-postgres.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { openTempRoot } from '../support/temp-root.ts';
import { TEST_ENGINES } from '../support/test-engines.ts';

/** Longer than the test takes: nothing here happens because a lease ran out or was renewed. */
const LONG_LEASE_MS = 600_000;

const open: TestRuntime[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.dispose()));
});

async function openNode(env: Readonly<Record<string, string>>, root: string) {
  const { loaded } = await prepareStateRoot({ root, env });
  return openStorage(loaded, { role: 'server' }, silentLogger);
}

async function openRoot(): Promise<string> {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  return root.path;
}

const seal = createSeal({
  ids: createIds(() => Date.now()),
  redactor: { redact: (value) => ({ value, paths: [] }), redactText: (text) => text },
});

function toClaim({ leaseOwner: owner }: OpenedStorage): ClaimRequest {
  return {
    owner,
    leaseMs: LONG_LEASE_MS,
    started: seal({ type: 'run.started', payload: { owner } }),
    recovered: seal({ type: 'run.recovered', payload: { owner } }),
  };
}

/** As copying a whole state root does. */
async function copyNodeId(from: string, to: string): Promise<void> {
  await mkdir(join(to, '.openclawssy'), { recursive: true, mode: 0o700 });
  await copyFile(join(from, '.openclawssy', 'node-id'), join(to, '.openclawssy', 'node-id'));
}

const connect = (env: Readonly<Record<string, string>>) => connectAt(env['DATABASE_URL'] ?? '');

const toCode = (thrown: unknown) => toRuntimeError(thrown).code;

const NODE_LOCK = `
  select pid, (classid::bigint << 32 | objid::bigint)::text as key from pg_locks
  where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())`;

/** Finds the lock of the one server on the database. */
async function findNodeLock(client: pg.Client): Promise<{ pid: number; key: string }> {
  const { rows } = await client.query(NODE_LOCK);
  expect(rows).toHaveLength(1);
  return rows[0] as { pid: number; key: string };
}

const TRYING = `
  select 1 from pg_stat_activity
  where datname = current_database() and query like '%pg_try_advisory_lock%' and pid <> pg_backend_pid()`;

for (const engine of TEST_ENGINES.filter(({ name }) => name.startsWith('PostgreSQL'))) {
  describe.skipIf(!engine.available)(`several nodes on ${engine.name}`, () => {
    test('a cancel on one node ends a run on another long before its lease is renewed', async () => {
      const env = await engine.openEnv();
      const config = { engine: { lease_ms: LONG_LEASE_MS } };
      const model = createScriptedModel({ steps: [{ text: 'half', hang: true }] });
      const working = await openTestRuntime(model, { env, config });
      const other = await openTestRuntime(model, { env, config, takesQueue: false });
      open.push(working, other);
      const { id } = await working.submit('go');
      await expect.poll(async () => (await other.runs.get(id)).status).toBe('running');

      await other.runs.cancel({ runId: id, reason: 'enough', actor: 'user' });

      expect(await working.awaitEnd(id)).toMatchObject({ status: 'cancelled' });
    });

    test('a server that was killed takes up its own runs at once, and leaves those of others alone', async () => {
      const env = await engine.openEnv();
      const [mine, theirs] = [await openRoot(), await openRoot()];
      const killed = await openNode(env, mine);
      const other = await openNode(env, theirs);
      onTestFinished(() => other.close());
      await killed.agents.ensure({
        ...{ id: DEFAULT_AGENT_ID, name: 'A', role: 'r', model: undefined, instructions: '' },
      });
      const ids = createIds(() => Date.now());
      const [first, second] = [ids.run(), ids.run()];
      for (const id of [first, second]) {
        const run = { id, agentId: DEFAULT_AGENT_ID, source: 'test', message: 'go' };
        await killed.runs.create(run, [seal({ type: 'run.created', payload: {} })], {
          maxQueued: 10,
        });
      }
      await killed.runs.claim({ ...toClaim(killed), only: first });
      await other.runs.claim({ ...toClaim(other), only: second });
      // As a crash leaves it: nobody gives a lease back.
      await killed.close();

      const started = await openNode(env, mine);
      onTestFinished(() => started.close());
      const claims = [
        await started.runs.claim(toClaim(started)),
        await started.runs.claim(toClaim(started)),
      ];

      expect(claims.map((claimed) => claimed?.run.id)).toEqual([first, undefined]);
      expect(started.leaseOwner.split(':')[1]).toBe(killed.leaseOwner.split(':')[1]);
    });

    test('a second state root with a copied node id is refused, and takes nothing from the first', async () => {
      const env = await engine.openEnv();
      const [root, copy] = [await openRoot(), await openRoot()];
      const first = await openNode(env, root);
      await copyNodeId(root, copy);

      await expect(openNode(env, copy)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining(join('.openclawssy', 'node-id')),
        details: { fix: expect.stringContaining('delete') },
      });
      await first.ping();

      await first.close();
      await (await openNode(env, copy)).close();
    });

    test('a start waits a moment for the connection of a server that has just ended', async () => {
      const env = await engine.openEnv();
      const root = await openRoot();
      const ended = await openNode(env, root);
      const [observer, lingering] = [await connect(env), await connect(env)];
      const { key } = await findNodeLock(observer);
      await ended.close();
      await lingering.query('select pg_advisory_lock($1)', [key]);

      const starting = openNode(env, root);
      await expect
        .poll(async () => (await observer.query(TRYING)).rowCount, { timeout: 15_000, interval: 5 })
        .toBe(1);
      await lingering.end();

      await (await starting).close();
    });

    test('a node that loses its name to another takes no runs until it has it again', async () => {
      const env = await engine.openEnv();
      const node = await openNode(env, await openRoot());
      onTestFinished(() => node.close());
      const [observer, other] = [await connect(env), await connect(env)];
      const { pid, key } = await findNodeLock(observer);

      const waiting = other.query('select pg_advisory_lock($1)', [key]);
      await observer.query('select pg_terminate_backend($1)', [pid]);
      await waiting;
      const reading = () => node.ping().then(() => 'held', toCode);
      await expect.poll(reading, { timeout: 15_000 }).toBe('storage_unavailable');
      await expect(node.runs.claim(toClaim(node))).rejects.toMatchObject({
        code: 'storage_unavailable',
        message: expect.stringContaining('node-id'),
      });

      await other.end();
      await expect.poll(reading, { timeout: 15_000 }).toBe('held');
      expect(await node.runs.claim(toClaim(node))).toBeUndefined();
    });
  });
}
