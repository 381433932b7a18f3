import { expect, test } from 'vitest';
import {
  attach,
  IMPOSSIBLE,
  invalid,
  NO_PRINCIPAL,
  NOT_OWNED,
  openWorkerServer,
  outcomeOf,
  PROCESS,
  UNKNOWN,
  WORKERS,
} from './worker-server.ts';

const receipt = (isReplay: boolean) => ({
  data: { worker_id: 'codexw_1', status: 'stopped', idempotent_replay: isReplay },
});

test('stops a worker once and answers the same again', async () => {
  const server = await openWorkerServer();
  const path = await attach(server);

  const first = await server.post(`${path}/stop`, { reason: 'done for today' });
  const again = await server.post(`${path}/stop`, {});

  expect([first.status, first.body]).toEqual([202, receipt(false)]);
  expect([again.status, again.body]).toEqual([200, receipt(true)]);
  const stream = await server.stream(`${path}/stream?cursor=1&tail_ms=1`);
  await stream.ended;
  expect(stream.frames().map(({ data }) => data)).toEqual([
    expect.objectContaining({
      seq: 2,
      eventType: 'worker.stopped',
      payload: { reason: 'done for today' },
    }),
  ]);
});

test('stops a worker once among ten who ask at the same moment', async () => {
  const server = await openWorkerServer(PROCESS);
  const path = await attach(server, { adapter: 'process' });

  const answers = await Promise.all(
    Array.from({ length: 10 }, () => server.call(`${path}/stop`, { method: 'POST' })),
  );

  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 202]);
  const stream = await server.stream(`${path}/stream?cursor=0&tail_ms=1`);
  await stream.ended;
  expect(stream.frames().map(({ data }) => data)).toEqual([
    expect.objectContaining({ eventType: 'worker.started' }),
    expect.objectContaining({
      eventType: 'worker.stopped',
      payload: { reason: 'stop_requested' },
    }),
  ]);
});

test('answers what a stopped worker was still asked', async () => {
  const server = await openWorkerServer({ ...PROCESS, stop_grace_ms: 100 });
  const path = await attach(server, { adapter: 'process' });
  const asked = server.post(`${path}/requests`, {
    request: { request_id: 'r', method: 'sleep', params: { ms: 60_000 } },
  });
  await expect
    .poll(async () => (await server.get(`${path}/snapshot`)).body, { timeout: 10_000 })
    .toMatchObject({ data: { latest_seq: 2 } });

  const stopped = await server.post(`${path}/stop`, {});
  const { status, body } = await asked;

  expect(stopped.status).toBe(202);
  expect([status, body]).toMatchObject([
    200,
    {
      data: {
        ok: false,
        response: { error: { code: -32000, data: { outcome: 'unknown' } } },
      },
    },
  ]);
  const stream = await server.stream(`${path}/stream?cursor=2&tail_ms=1`);
  await stream.ended;
  expect(stream.frames().map(({ data }) => (data as { eventType: string }).eventType)).toEqual([
    'worker.error',
    'worker.stopped',
  ]);
});

test('refuses in the order of the contract', async () => {
  const server = await openWorkerServer();
  const path = await attach(server);
  const bad = { reason: 'x'.repeat(501) };

  const answers = [
    await server.post(`${path}/stop`, bad, { nobody: true }),
    await server.post(`${WORKERS}/codexw_2/stop`, bad, { userId: 7 }),
    await server.post(`${WORKERS}/a%00b/stop`, {}),
    await server.post(`${path}/stop`, bad, { userId: 7 }),
    await server.post(`${path}/stop`, bad),
  ];

  expect(answers.map(outcomeOf)).toEqual([
    NO_PRINCIPAL,
    UNKNOWN,
    IMPOSSIBLE,
    NOT_OWNED,
    invalid('reason must be at most 500 characters'),
  ]);
});
