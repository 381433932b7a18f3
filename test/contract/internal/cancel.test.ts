import { expect, test } from 'vitest';
import type { RunId } from '../../../src/core/ids.ts';
import { createRun, type InternalServer, openInternalServer } from './test-internal-server.ts';

const PATH = '/runs/run_1/cancel';
const BODY = { thread_id: 'thread_1', reason: 'user requested stop' };
const MESSAGE = {
  thread_id: 'thread_1',
  frame_id: 'frm_1',
  type: 'user_message',
  payload: { text: 'hi' },
};

async function typesOf({ runtime }: InternalServer, id: string): Promise<string[]> {
  return (await runtime.events(id as RunId)).map(({ type }) => type);
}

async function awaitType(server: InternalServer, type: string): Promise<void> {
  await expect.poll(() => typesOf(server, 'run_1'), { timeout: 10_000 }).toContain(type);
}

test('cancels a run that waits, and answers the second wish with its end', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');

  const first = await server.post(PATH, BODY);
  const second = await server.post(PATH, BODY);

  expect(first.status).toBe(202);
  expect(first.body).toEqual({
    runId: 'run_1',
    status: 'canceling',
    cancelRequested: true,
    idempotentReplay: false,
  });
  expect(second.status).toBe(200);
  expect(second.body).toEqual({
    runId: 'run_1',
    status: 'canceled',
    cancelRequested: true,
    idempotentReplay: true,
  });
  expect(await typesOf(server, 'run_1')).toEqual([
    'run.created',
    'run.cancel_requested',
    'run.cancelled',
  ]);
});

test('aborts the turn that is under way', async () => {
  const server = await openInternalServer({
    steps: [{ text: 'One two three four. ', hang: true }],
  });
  await createRun(server, 'run_1');
  await server.post('/runs/run_1/frames', MESSAGE);
  await awaitType(server, 'model.delta');

  const answer = await server.post(PATH, BODY);

  expect(answer.status).toBe(202);
  await awaitType(server, 'run.cancelled');
  const types = await typesOf(server, 'run_1');
  expect(types.filter((type) => type === 'run.cancel_requested')).toHaveLength(1);
  expect(types.at(-1)).toBe('run.cancelled');
});

test('says how a run ended that is over', async () => {
  const server = await openInternalServer({ steps: [{ text: 'Hello!' }] });
  await createRun(server, 'run_1', { auto_finish: true });
  await server.post('/runs/run_1/frames', MESSAGE);
  await awaitType(server, 'run.completed');
  const before = await typesOf(server, 'run_1');

  const answer = await server.post(PATH, BODY);

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    runId: 'run_1',
    status: 'succeeded',
    cancelRequested: false,
    idempotentReplay: true,
  });
  expect(await typesOf(server, 'run_1')).toEqual(before);
});

test('survives a storm of three wishes for each of ten runs', async () => {
  const server = await openInternalServer({ steps: [{ text: 'x', hang: true }] });
  const ids = Array.from({ length: 10 }, (_, at) => `run_${at}`);
  for (const id of ids) {
    await createRun(server, id, { thread_id: id });
    // Every other one has a turn under way.
    if (Number(id.slice(4)) % 2 === 0) {
      await server.post(`/runs/${id}/frames`, { ...MESSAGE, thread_id: id });
    }
  }

  const answers = await Promise.all(
    ids.flatMap((id) => [1, 2, 3].map(() => server.post(`/runs/${id}/cancel`, { thread_id: id }))),
  );

  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(20).fill(200), ...Array(10).fill(202)]);
  for (const id of ids) {
    await expect
      .poll(async () => (await typesOf(server, id)).at(-1), { timeout: 10_000 })
      .toBe('run.cancelled');
    const types = await typesOf(server, id);
    expect(types.filter((type) => type === 'run.cancel_requested')).toHaveLength(1);
    expect(types.filter((type) => type === 'run.cancelled')).toHaveLength(1);
  }
});

test('records the reason, or that none was given', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  await createRun(server, 'run_2');

  await server.post(PATH, BODY);
  await server.post('/runs/run_2/cancel', { thread_id: 'thread_1', reason: null });

  const reasons = await Promise.all(
    ['run_1', 'run_2'].map(async (id) => {
      const events = await server.runtime.events(id as RunId);
      return events.find(({ type }) => type === 'run.cancel_requested')?.payload['reason'];
    }),
  );
  expect(reasons).toEqual(['user requested stop', 'cancel requested']);
});

test('refuses in the order of the contract', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  const bad = { thread_id: 'thread_1', reason: 7 };

  const answers = [
    await server.post(PATH, {}, { nobody: true }),
    await server.post(PATH, bad, { nobody: true }),
    await server.post('/runs/run_2/cancel', bad),
    await server.post(PATH, bad, { userId: 7 }),
    await server.post(PATH, bad, { guestScope: '42' }),
    await server.post(PATH, bad),
  ];

  expect(answers.map(({ status, body }) => [status, (body as { error: unknown }).error])).toEqual([
    [400, { code: 'invalid_request', message: 'thread_id is required' }],
    [401, { code: 'unauthorized', message: 'missing or invalid principal headers' }],
    [404, { code: 'not_found', message: 'run run_2 does not exist' }],
    [403, { code: 'forbidden', message: 'run/thread does not belong to principal' }],
    [403, { code: 'forbidden', message: 'run/thread does not belong to principal' }],
    [400, { code: 'invalid_request', message: 'reason must be a string' }],
  ]);
});
