import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { verifyChain } from '../../../src/core/events/hash-chain.ts';
import { silentLogger } from '../../../src/core/log.ts';
import type { Storage } from '../../../src/core/storage.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open-sqlite-storage.ts';
import { openServerLock } from '../../../src/storage/sqlite/server-lock.ts';
import { bundleScript } from '../../support/bundle-script.ts';
import { openTempRoot } from '../../support/temp-root.ts';
import { claimNewRun, delta, readAll } from '../harness.ts';

const SCRIPT = await bundleScript(new URL('sqlite-process.ts', import.meta.url));
const KILLS = 10;

async function tempFile(name: string): Promise<string> {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  return join(root.path, name);
}

async function openStorage(file: string): Promise<Storage> {
  const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  onTestFinished(() => storage.close());
  return storage;
}

function start(...args: string[]) {
  const child = spawn(process.execPath, [SCRIPT, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => end(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    kill: () => end(child),
    async line(): Promise<string | undefined> {
      const { value, done } = await lines.next();
      return done ? undefined : value;
    },
    async rest(): Promise<string[]> {
      const said: string[] = [];
      for (let next = await lines.next(); !next.done; next = await lines.next()) {
        said.push(next.value);
      }
      return said;
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

test('migrates a new database once when several processes open it at the same moment', async () => {
  const file = await tempFile('pincer.db');

  const ids = await Promise.all(Array.from({ length: 4 }, () => start('create', file).line()));

  const { runs } = await (await openStorage(file)).runs.list({ limit: 10 });
  expect(runs.map((run) => run.id).sort()).toEqual(ids.sort());
});

test('chains the appends of two processes to one run without a gap', async () => {
  const file = await tempFile('pincer.db');
  const { runs, events } = await openStorage(file);
  const { run, lease } = await claimNewRun(runs);
  const child = start('append', file, lease.runId, lease.leaseId, '200');
  await child.line();

  const own: Promise<unknown>[] = [];
  for (let index = 0; index < 200; index += 1) {
    own.push(runs.append(lease, [delta(`parent ${index}`)]));
    if (index % 10 === 0) await own.at(-1);
  }
  await Promise.all(own);
  const said = await child.rest();

  expect(said).toHaveLength(199);
  const log = await readAll(events, run.id);
  expect(verifyChain(log)).toEqual({ ok: true, last: { seq: 402, hash: log[401]?.hash } });
});

test('wakes a runner when another process queues a run', async () => {
  const file = await tempFile('pincer.db');
  const { wakeups } = await openStorage(file);
  const subscription = wakeups.subscribe('queue');
  const seen: string[] = [];
  wakeups.watchRuns((runId) => seen.push(runId));

  const woken = subscription.next({ deadlineMs: Date.now() + 15_000 });
  const id = await start('create', file).line();

  expect(await woken).toBe(true);
  await expect.poll(() => seen, { timeout: 10_000 }).toContain(id);
  subscription.close();
});

test('keeps every acknowledged event when the writing process is killed', {
  timeout: 60_000,
}, async () => {
  const file = await tempFile('pincer.db');
  const { runs, events } = await openStorage(file);
  const { run, lease } = await claimNewRun(runs);
  let acknowledged = 2;

  for (let round = 1; round <= KILLS; round += 1) {
    const child = start('append', file, lease.runId, lease.leaseId, '100000');
    for (let count = 0; count < round * 7; count += 1) await child.line();
    await child.kill();
    acknowledged = Number((await child.rest()).at(-1) ?? acknowledged);

    const log = await readAll(events, run.id);
    expect(verifyChain(log).ok).toBe(true);
    expect(log.length).toBeGreaterThanOrEqual(acknowledged);
  }

  const after = await runs.append(lease, [delta('after')]);
  expect(after).toEqual({
    outcome: 'appended',
    lastSeq: (await readAll(events, run.id)).length,
  });
});

test('holds a state root for one server until its process is killed', async () => {
  const file = await tempFile('server.lock');
  const child = start('lock', file);
  expect(await child.line()).toBe('locked');

  expect(() => openServerLock(file)).toThrow(
    expect.objectContaining({
      code: 'conflict',
      message: expect.stringContaining('another server uses this state root'),
    }),
  );

  await child.kill();
  const lock = openServerLock(file);
  lock.close();
});

test('gives the server lock back when it is closed', async () => {
  const file = await tempFile('server.lock');
  const first = openServerLock(file);
  expect(() => openServerLock(file)).toThrow(expect.objectContaining({ code: 'conflict' }));

  first.close();

  openServerLock(file).close();
});
