import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Logger, silentLogger } from '../../src/core/log.ts';
import type { WorkerSettings } from '../../src/core/workers/worker-settings.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open-sqlite-storage.ts';
import { openTempRoot } from '../support/temp-root.ts';
import { ask, attachProgram, createTestWorkers, isAlive, readLog, USER } from './test-workers.ts';

const WAIT = { timeout: 10_000 };

async function openWorkers(settings: Partial<WorkerSettings> = {}, logger?: Logger) {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const file = join(root.path, 'pincer.db');
  const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  onTestFinished(() => storage.close());
  const made = createTestWorkers(storage, { stopGraceMs: 50, ...settings }, logger);
  onTestFinished(made.stop);
  return { ...made, storage };
}

const resultOf = (answer: { readonly response: object }) =>
  (answer.response as { readonly result: unknown }).result;

test('gives a program PATH, HOME and what is named of the environment', async () => {
  const { workers } = await openWorkers();
  const { id } = await attachProgram(workers);

  const answer = await ask(workers, id, { method: 'environment' });

  const given = ['PATH', 'HOME'].filter((name) => process.env[name] !== undefined);
  expect(resultOf(answer)).toEqual({ names: [...given, 'WORKER_TEST_VARIABLE'].sort() });
});

test('answers requests that overlap, each with its own answer', async () => {
  const { workers } = await openWorkers();
  const { id } = await attachProgram(workers);

  const answers = await Promise.all(
    [60, 30, 0].map((ms) => ask(workers, id, { method: 'sleep', params: { ms } })),
  );

  expect(answers.map(resultOf)).toEqual([60, 30, 0].map((ms) => ({ slept_ms: ms })));
});

test('records a program that crashes as failed, and what it was asked as unknown', async () => {
  const { workers, storage } = await openWorkers();
  const { id } = await attachProgram(workers);

  const answer = await ask(workers, id, { requestId: 'r', method: 'crash', params: { code: 3 } });
  await expect
    .poll(() => workers.get({ id, principal: USER }), WAIT)
    .toMatchObject({
      status: 'failed',
      host: undefined,
    });
  const asked = ask(workers, id, {});

  await expect(asked).rejects.toMatchObject({
    code: 'conflict',
    message: 'worker is failed; create or reattach to resume',
  });
  expect(answer.response).toMatchObject({ error: { code: -32000, data: { outcome: 'unknown' } } });
  expect((await readLog(storage, id)).slice(2)).toMatchObject([
    { type: 'worker.error', payload: { request_id: 'r' } },
    { type: 'worker.failed', payload: { reason: 'exited', exit_code: 3, signal: null } },
  ]);
});

test('starts a failed worker again when it is attached again', async () => {
  const { workers } = await openWorkers();
  const { id } = await attachProgram(workers);
  await ask(workers, id, { method: 'crash' });
  await expect
    .poll(() => workers.get({ id, principal: USER }), WAIT)
    .toMatchObject({ status: 'failed' });

  const { worker } = await workers.attach({
    principal: USER,
    id,
    adapter: undefined,
    command: undefined,
    workspaceRef: undefined,
    codexHomeRef: undefined,
    metadata: undefined,
  });

  expect(worker).toMatchObject({ status: 'running', epoch: 2, command: 'example' });
  expect(resultOf(await ask(workers, id, {}))).toEqual({ pong: true });
});

test('ends a program that ignores every request to go, with all that it started', async () => {
  const { workers, storage } = await openWorkers();
  const { id } = await attachProgram(workers, 'stubborn');
  const pids = [
    resultOf(await ask(workers, id, { method: 'pid' })),
    resultOf(await ask(workers, id, { method: 'spawn' })),
  ] as number[];
  const before = pids.map(isAlive);

  const receipt = await workers.stop({ id, principal: USER }, 'enough');

  expect(before).toEqual([true, true]);
  expect(receipt).toMatchObject({ replayed: false, worker: { status: 'stopped' } });
  await expect.poll(() => pids.map(isAlive), WAIT).toEqual([false, false]);
  expect((await readLog(storage, id)).at(-1)).toMatchObject({
    type: 'worker.stopped',
    payload: { reason: 'enough' },
  });
});

test('passes over what is no message', async () => {
  const { workers, storage } = await openWorkers();
  const { id } = await attachProgram(workers, 'stubborn');

  const answer = await ask(workers, id, { method: 'noise' });

  expect(resultOf(answer)).toBe('said');
  expect((await readLog(storage, id)).map(({ type }) => type)).toEqual([
    'worker.started',
    'worker.request.received',
    'worker.response',
  ]);
});

test('goes on with its other work while a program prints nothing but noise', async () => {
  const { workers } = await openWorkers();
  const { id } = await attachProgram(workers, 'stubborn');
  let lastMs = performance.now();
  let longestMs = 0;
  const ticking = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - lastMs);
    lastMs = performance.now();
  }, 10);
  onTestFinished(() => clearInterval(ticking));

  const answer = await ask(workers, id, { method: 'babble', params: { count: 300_000 } });

  expect(resultOf(answer)).toBe('babbled');
  expect(longestMs).toBeLessThan(2_000);
});

test('ends a program that writes a line without end', async () => {
  const { workers, storage } = await openWorkers();
  const { id } = await attachProgram(workers, 'stubborn');

  await ask(workers, id, { method: 'long' });

  await expect
    .poll(async () => (await readLog(storage, id)).at(-1), WAIT)
    .toMatchObject({
      type: 'worker.failed',
      payload: { reason: 'line_too_long', signal: 'SIGKILL' },
    });
});

test('keeps a bounded number of what a program says unasked, and says how many are missing', async () => {
  const { workers, storage } = await openWorkers();
  const { id } = await attachProgram(workers, 'stubborn');

  const answer = await ask(workers, id, { method: 'flood', params: { count: 20_000 } });
  await workers.stop({ id, principal: USER }, 'enough');

  const log: string[] = [];
  let dropped = 0;
  for (let after = 0; ; ) {
    const page = await storage.workers.readEvents(id, { after, limit: 1_000 });
    for (const { type, payload, seq } of page) {
      log.push(type);
      after = seq;
      if (type === 'worker.events_dropped') dropped += Number(payload['count']);
    }
    if (page.length < 1_000) break;
  }
  const kept = log.filter((type) => type === 'worker.event').length;
  expect(resultOf(answer)).toBe('flooded');
  expect(kept).toBeLessThanOrEqual(2_000);
  expect(kept + dropped).toBe(20_000);
});

test('refuses what a program asks of us, so that it can go on', async () => {
  const { workers, storage } = await openWorkers();
  const { id } = await attachProgram(workers, 'stubborn');

  const answer = await ask(workers, id, { method: 'wonder' });

  expect(resultOf(answer)).toEqual({
    code: -32601,
    message: 'requests of workers are not answered',
  });
  expect((await readLog(storage, id))[2]).toMatchObject({
    type: 'worker.event',
    payload: { method: 'approve', params: { command: 'rm' }, request_id: 'w1' },
  });
});

test('holds a bounded amount of answers for a program that asks and does not read', async () => {
  const { workers } = await openWorkers();
  const { id } = await attachProgram(workers, 'stubborn');
  const params = { count: 200, chars: 100_000 };

  const answer = await ask(workers, id, { method: 'nag', params });

  expect(resultOf(answer)).toBeGreaterThan(0);
  expect(resultOf(answer)).toBeLessThan(100);
});

test('runs no more programs than the server may, whoever attaches them', async () => {
  const { workers } = await openWorkers({ maxHosted: 2 });
  const nothing = { workspaceRef: undefined, codexHomeRef: undefined, metadata: undefined };
  const attachFor = (scope: string, adapter: 'process' | 'in_memory') => {
    const principal = { kind: 'guest', scope } as const;
    const command = adapter === 'process' ? 'example' : undefined;
    return workers.attach({ principal, id: undefined, adapter, command, ...nothing });
  };

  const attached = await Promise.allSettled(
    ['a', 'b', 'c'].map((scope) => attachFor(scope, 'process')),
  );
  const other = await attachFor('d', 'in_memory');

  const message = 'this server runs 2 workers already; stop one first';
  expect(attached).toMatchObject([
    { status: 'fulfilled' },
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'rate_limited', message } },
  ]);
  expect(other.worker.status).toBe('running');
});

test('logs what a program writes to its standard error, without secrets', async () => {
  const lines: unknown[] = [];
  const info = ({ line }: { readonly line?: unknown }) => lines.push(line);
  const { workers } = await openWorkers({}, { ...silentLogger, info });
  const { id } = await attachProgram(workers, 'stubborn');
  const text = 'token is sk-1234567890abcdefghijklmnop';

  await ask(workers, id, { method: 'complain', params: { text } });

  await expect.poll(() => lines, WAIT).toEqual(['token is [REDACTED]']);
});

test('ends a program whose worker was ended by another server', async () => {
  const { workers, storage, renew } = await openWorkers();
  const { id } = await attachProgram(workers, 'stubborn');
  const pid = resultOf(await ask(workers, id, { method: 'pid' })) as number;
  const elsewhere = createTestWorkers(storage);

  await elsewhere.workers.stop({ id, principal: USER }, 'from afar');
  const before = isAlive(pid);
  await renew();

  expect(before).toBe(true);
  await expect.poll(() => isAlive(pid), WAIT).toBe(false);
  expect((await readLog(storage, id)).map(({ type }) => type).at(-1)).toBe('worker.stopped');
});

test('refuses requests for a worker that another server holds', async () => {
  const { workers, storage } = await openWorkers();
  const { id } = await attachProgram(workers);
  await ask(workers, id, { requestId: 'known' });
  const elsewhere = createTestWorkers(storage);

  const known = await ask(elsewhere.workers, id, { requestId: 'known' });
  const fresh = ask(elsewhere.workers, id, {});

  expect(resultOf(known)).toEqual({ pong: true });
  await expect(fresh).rejects.toMatchObject({
    code: 'conflict',
    message: `worker ${id} is attached to another server`,
  });
});

test('ends all programs with the server, and says so', async () => {
  const { workers, storage, stop } = await openWorkers();
  const first = await attachProgram(workers);
  const second = await attachProgram(workers, 'stubborn');

  await stop();

  for (const { id } of [first, second]) {
    expect((await readLog(storage, id)).at(-1)).toMatchObject({
      type: 'worker.stopped',
      payload: { reason: 'server_shutdown' },
    });
  }
});
