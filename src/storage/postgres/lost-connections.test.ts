import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  claimNewRun,
  delta,
  draft,
  type Held,
  LEASE_MS,
  MANY,
  newRun,
  readAll,
} from '../../../test/conformance/harness.ts';
import {
  connectAt,
  createTestDatabase,
  openStorageAt,
} from '../../../test/conformance/open-postgres.ts';
import { findPostgres } from '../../../test/support/postgres.ts';
import { startPostgresServer } from '../../../test/support/postgres-server.ts';
import { runTopic } from '../../core/events/event-log.ts';
import { verifyChain } from '../../core/events/hash-chain.ts';
import type { Storage } from '../../core/storage.ts';

const PATIENCE_MS = 15_000;
const RUNS = 6;

/** Callers that append one event after the other until they are stopped; a failed one goes on with the next. */
function startAppending(storage: Storage, held: readonly Held[]) {
  const acknowledged: string[][] = held.map(() => []);
  let isStopped = false;
  const callers = held.map(async ({ lease }, index) => {
    for (let count = 0; !isStopped; count += 1) {
      const text = `${index}.${count}`;
      const result = await storage.runs.append(lease, [delta(text)]).catch(() => undefined);
      if (result?.outcome === 'appended') acknowledged[index]?.push(text);
    }
  });
  const total = () => acknowledged.reduce((sum, texts) => sum + texts.length, 0);
  return {
    /** Resolves when so many more appends were acknowledged. */
    more: async (count: number) => {
      const goal = total() + count;
      await vi.waitUntil(() => total() >= goal, { timeout: PATIENCE_MS, interval: 5 });
    },
    stop: async () => {
      isStopped = true;
      await Promise.all(callers);
      return acknowledged;
    },
  };
}

async function expectNothingLost(
  storage: Storage,
  held: readonly Held[],
  acknowledged: string[][],
) {
  for (const [index, { run }] of held.entries()) {
    const events = await readAll(storage.events, run.id);
    expect(verifyChain(events).ok).toBe(true);
    const texts = events.flatMap((event) => event.payload['text'] ?? []);
    expect(new Set(texts).size).toBe(texts.length);
    // Unacknowledged ones may be there too: their commit was not answered in time.
    expect(texts.filter((text) => acknowledged[index]?.includes(String(text)))).toEqual(
      acknowledged[index],
    );
  }
}

const claimRuns = (storage: Storage) =>
  Promise.all(Array.from({ length: RUNS }, () => claimNewRun(storage.runs)));

const KILL_OTHERS =
  'select count(pg_terminate_backend(pid)) from pg_stat_activity ' +
  'where datname = current_database() and pid <> pg_backend_pid()';

/** How the answer to a commit, or to a statement that commits itself, is known. */
const COMMITTED = ['COMMIT\0', 'isStored\0'];

/** A server in between that forwards everything, and once armed loses the answer to the next commit. */
async function openLossyProxy(url: string) {
  const { port, hostname } = new URL(url);
  const sockets = new Set<Socket>();
  let losses = 0;
  let isArmed = false;
  const proxy = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (data) => far.write(data));
    far.on('data', (data) => {
      if (!isArmed || !COMMITTED.some((sign) => data.includes(sign))) return near.write(data);
      isArmed = false;
      losses += 1;
      return near.destroy();
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const address = new URL(url);
  address.port = String((proxy.address() as AddressInfo).port);
  return {
    url: address.href,
    loseNextCommit: () => {
      isArmed = true;
    },
    losses: () => losses,
  };
}

// Says why when there is none.
const engine = await findPostgres();

describe.skipIf(!engine.available)('PostgreSQL connections that are lost', () => {
  test('lose nothing acknowledged and store nothing twice when all backends are killed', async () => {
    const url = await createTestDatabase('migrated');
    const storage = await openStorageAt(url);
    const killer = await connectAt(url);
    const held = await claimRuns(storage);

    const appending = startAppending(storage, held);
    for (let kills = 0; kills < 10; kills += 1) {
      await appending.more(20);
      await killer.query(KILL_OTHERS);
    }
    await appending.more(20);
    const acknowledged = await appending.stop();

    await expectNothingLost(storage, held, acknowledged);
  });

  test('lose nothing acknowledged when the server crashes and comes back', async () => {
    const server = await startPostgresServer();
    onTestFinished(() => server.stop());
    const storage = await openStorageAt(server.url);
    const held = await claimRuns(storage);

    const appending = startAppending(storage, held);
    await appending.more(50);
    await server.kill();
    await server.start();
    await appending.more(50);
    const acknowledged = await appending.stop();

    await expectNothingLost(storage, held, acknowledged);
  });

  test('answer an append whose commit was done but not answered, and do not repeat it', async () => {
    const proxy = await openLossyProxy(await createTestDatabase('migrated'));
    const storage = await openStorageAt(proxy.url);
    const { run, lease } = await claimNewRun(storage.runs);

    proxy.loseNextCommit();
    const result = await storage.runs.append(lease, [delta('once')]);

    expect(proxy.losses()).toBe(1);
    expect(result).toEqual({ outcome: 'appended', lastSeq: 3 });
    const events = await readAll(storage.events, run.id);
    expect(events.map((event) => event.type)).toEqual([
      'run.created',
      'run.started',
      'model.delta',
    ]);
  });

  test('answer a transaction whose commit was done but not answered, and do not repeat it', async () => {
    const proxy = await openLossyProxy(await createTestDatabase('migrated'));
    const storage = await openStorageAt(proxy.url);
    const { run } = await claimNewRun(storage.runs);

    proxy.loseNextCommit();
    const result = await storage.runs.note(run.id, [delta('once')]);

    expect(proxy.losses()).toBe(1);
    expect(result).toEqual({ outcome: 'appended', lastSeq: 3 });
    expect(await readAll(storage.events, run.id)).toHaveLength(3);
  });

  test('answer a run that was made and started but not answered with its lease, and make it once', async () => {
    const proxy = await openLossyProxy(await createTestDatabase('migrated'));
    const storage = await openStorageAt(proxy.url);
    // Whoever has not heard the database's clock yet reads first.
    await claimNewRun(storage.runs);

    proxy.loseNextCommit();
    const made = await storage.runs.create(newRun(), [draft('run.created')], {
      maxQueued: MANY,
      lease: { owner: 'runner-a', leaseMs: LEASE_MS, started: draft('run.started') },
    });

    expect(proxy.losses()).toBe(1);
    if (made.outcome !== 'created' || !made.lease) expect.fail(made.outcome);
    const events = await readAll(storage.events, made.run.id);
    expect(events.map((event) => event.type)).toEqual(['run.created', 'run.started']);
    const lease = { runId: made.run.id, leaseId: made.lease.id };
    const more = await storage.runs.append(lease, [delta('on')]);
    expect(more).toEqual({ outcome: 'appended', lastSeq: 3 });
  });

  test('are refused as unavailable while the server is down, and work again after', async () => {
    const server = await startPostgresServer();
    onTestFinished(() => server.stop());
    const storage = await openStorageAt(server.url);
    const { run, lease } = await claimNewRun(storage.runs);
    const unavailable = { name: 'RuntimeError', code: 'storage_unavailable' };

    await server.pause();
    await expect(storage.ping()).rejects.toMatchObject(unavailable);
    await expect(storage.runs.append(lease, [delta('x')])).rejects.toMatchObject(unavailable);
    await server.start();

    await storage.ping();
    await storage.runs.append(lease, [delta('y')]);
    const events = await readAll(storage.events, run.id);
    expect(events.flatMap((event) => event.payload['text'] ?? [])).toEqual(['y']);
  });

  test('listen again: wake-ups of another node arrive after the listener was killed', async () => {
    const url = await createTestDatabase('migrated');
    const storage = await openStorageAt(url);
    const beside = await openStorageAt(url);
    const client = await connectAt(url);
    const listeners = `from pg_stat_activity where datname = current_database() and query ~ '^(listen|select 1$)'`;
    const before = await client.query(`select pid ${listeners}`);
    expect(before.rowCount).toBe(2);

    await client.query(`select pg_terminate_backend(pid) ${listeners}`);
    const pids = before.rows.map((row) => row.pid);
    await vi.waitUntil(
      async () => {
        const { rows } = await client.query(`select pid ${listeners}`);
        return rows.length === 2 && rows.every((row) => !pids.includes(row.pid));
      },
      { timeout: PATIENCE_MS },
    );
    const { run, lease } = await claimNewRun(storage.runs);
    const subscription = beside.wakeups.subscribe(runTopic(run.id));
    // Shorter than any slow poll: only a notification can answer true.
    const patience = () => Date.now() + 4_000;
    const woken = subscription.next({ deadlineMs: patience() });
    await storage.runs.append(lease, [delta('x')]);

    expect(await woken).toBe(true);
    subscription.close();
  });
});
