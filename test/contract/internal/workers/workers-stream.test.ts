import { expect, test } from 'vitest';
import type { WorkerId } from '../../../../src/core/ids.ts';
import {
  attach,
  IMPOSSIBLE,
  ISO,
  invalid,
  NO_PRINCIPAL,
  NOT_OWNED,
  openWorkerServer,
  outcomeOf,
  PROCESS,
  UNKNOWN,
  WORKERS,
} from './worker-server.ts';

const seqsOf = (frames: readonly { readonly id: number }[]) => frames.map(({ id }) => id);

test('sends the events after the cursor, each as the contract has it', async () => {
  const server = await openWorkerServer();
  const path = await attach(server);
  await server.post(`${path}/events`, { event_type: 'worker.event', payload: { step: 1 } });

  const stream = await server.stream(`${path}/stream?cursor=0&tail_ms=1`);
  await stream.ended;

  expect(stream.status).toBe(200);
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
  });
  expect(stream.frames()).toEqual([
    {
      id: 1,
      event: 'codex.worker.event',
      data: {
        workerId: 'codexw_1',
        seq: 1,
        eventType: 'worker.started',
        payload: { reason: 'attach', adapter: 'in_memory' },
        occurredAt: ISO,
      },
    },
    {
      id: 2,
      event: 'codex.worker.event',
      data: {
        workerId: 'codexw_1',
        seq: 2,
        eventType: 'worker.event',
        payload: { step: 1 },
        occurredAt: ISO,
      },
    },
  ]);
});

test('starts with what comes from now on when it is given no cursor', async () => {
  const server = await openWorkerServer();
  const path = await attach(server);
  const stream = await server.stream(`${path}/stream`);

  await server.post(`${path}/events`, { event_type: 'worker.event' });
  const frames = await stream.awaitFrames(1);

  expect(seqsOf(frames)).toEqual([2]);
  stream.leave();
});

test('resumes after Last-Event-ID, and waits above the latest', async () => {
  const server = await openWorkerServer();
  const path = await attach(server);
  const resumed = await server.stream(`${path}/stream`, { headers: { 'last-event-id': '0' } });
  const ahead = await server.stream(`${path}/stream?cursor=2`, {
    headers: { 'last-event-id': '2' },
  });

  await server.post(`${path}/events`, { event_type: 'worker.event' });
  await server.post(`${path}/events`, { event_type: 'worker.event' });

  expect(seqsOf(await resumed.awaitFrames(3))).toEqual([1, 2, 3]);
  expect(seqsOf(await ahead.awaitFrames(1))).toEqual([3]);
  resumed.leave();
  ahead.leave();
});

test('streams what a program says while it works, in order, and its answer after that', async () => {
  const server = await openWorkerServer(PROCESS);
  const path = await attach(server, { adapter: 'process' });
  const stream = await server.stream(`${path}/stream`);

  await server.post(`${path}/requests`, {
    request: { request_id: 'r', method: 'thread/start', params: { prompt: 'hi', steps: 3 } },
  });
  const frames = await stream.awaitFrames(5);

  expect(seqsOf(frames)).toEqual([2, 3, 4, 5, 6]);
  expect(frames.map(({ data }) => data)).toMatchObject([
    { eventType: 'worker.request.received' },
    { eventType: 'worker.event', payload: { method: 'thread/progress', params: { step: 1 } } },
    { eventType: 'worker.event', payload: { method: 'thread/progress', params: { step: 2 } } },
    { eventType: 'worker.event', payload: { method: 'thread/progress', params: { step: 3 } } },
    { eventType: 'worker.response', payload: { response: { result: { status: 'completed' } } } },
  ]);
  stream.leave();
});

test('refuses a cursor below what is kept', async () => {
  const server = await openWorkerServer();
  const path = await attach(server);
  const { workers } = server.runtime.storage;
  const drafts = Array.from({ length: 9 }, () => ({ type: 'worker.event', payload: {} }) as const);
  await workers.record({ id: 'codexw_1' as WorkerId, drafts, from: ['running'] });
  const ages = { maxAgeMs: 1_000_000, forgetAfterMs: 1_000_000 };
  await workers.prune({ maxEvents: 4, ...ages, limit: 100 });

  const stale = await server.get(`${path}/stream?cursor=5`);
  const kept = await server.stream(`${path}/stream?cursor=6&tail_ms=1`);
  await kept.ended;

  const message = 'cursor 5 is older than the oldest event that is kept (7)';
  expect(outcomeOf(stale)).toEqual([410, { code: 'stale_cursor', message }]);
  expect(seqsOf(kept.frames())).toEqual([7, 8, 9, 10]);
});

test('answers HEAD without opening a stream', async () => {
  const server = await openWorkerServer();
  const path = await attach(server);

  const answer = await server.call(`${path}/stream`, { method: 'HEAD' });

  expect([answer.status, answer.text]).toEqual([200, '']);
});

test('refuses in the order of the contract', async () => {
  const server = await openWorkerServer();
  const path = await attach(server);
  const read = (query: string, options = {}, at = path) =>
    server.get(`${at}/stream?${query}`, options);

  const answers = [
    await read('cursor=x', { nobody: true }),
    await read('cursor=x', { userId: 7 }, `${WORKERS}/codexw_2`),
    await read('', {}, `${WORKERS}/a%20b`),
    await read('cursor=x', { userId: 7 }),
    await read('cursor=1', { userId: 7, headers: { 'last-event-id': '2' } }),
    await read('cursor=x'),
    await read('cursor=-1'),
    await read('tail_ms=0'),
    await read('tail_ms=300001'),
    await read('cursor=1', { headers: { 'last-event-id': '2' } }),
  ];

  expect(answers.map(outcomeOf)).toEqual([
    NO_PRINCIPAL,
    UNKNOWN,
    IMPOSSIBLE,
    NOT_OWNED,
    NOT_OWNED,
    invalid('cursor must be an integer >= 0'),
    invalid('cursor must be an integer >= 0'),
    invalid('tail_ms must be a positive integer, at most 300000'),
    invalid('tail_ms must be a positive integer, at most 300000'),
    invalid('cursor query and Last-Event-ID must match'),
  ]);
});
