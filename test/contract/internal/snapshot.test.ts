import { expect, test } from 'vitest';
import { createRun, openInternalServer } from './test-internal-server.ts';

const PATH = '/runs/run_1/snapshot?thread_id=thread_1';
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test('shows a run that waits for its first frame', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');

  const answer = await server.get(PATH);

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    runId: 'run_1',
    threadId: 'thread_1',
    status: 'created',
    latestSeq: 1,
    updatedAt: ISO,
    agentId: 'agent_default',
    createdAt: ISO,
    startedAt: null,
    endedAt: null,
    awaitingInput: true,
    autoFinish: false,
    output: null,
    stopReason: null,
    error: null,
    usage: null,
  });
});

test('shows how a run ended', async () => {
  const usage = { inputTokens: 12, outputTokens: 7 };
  const server = await openInternalServer({ steps: [{ text: 'Hello!', usage }] });
  await createRun(server, 'run_1', { auto_finish: true });
  await server.post('/runs/run_1/frames', {
    thread_id: 'thread_1',
    frame_id: 'frm_1',
    type: 'user_message',
    payload: { text: 'hi' },
  });

  await expect
    .poll(async () => (await server.get(PATH)).body, { timeout: 10_000 })
    .toMatchObject({ status: 'succeeded' });

  const { body } = await server.get(PATH);
  const events = await server.runtime.storage.events.read('run_1' as never, {
    after: 0,
    limit: 100,
  });
  expect(body).toEqual({
    runId: 'run_1',
    threadId: 'thread_1',
    status: 'succeeded',
    latestSeq: events.at(-1)?.seq,
    updatedAt: ISO,
    agentId: 'agent_default',
    createdAt: ISO,
    startedAt: ISO,
    endedAt: ISO,
    awaitingInput: false,
    autoFinish: true,
    output: 'Hello!',
    stopReason: 'completed',
    error: null,
    usage: { turns: 1, toolCalls: 0, inputTokens: 12, outputTokens: 7, costUsd: null },
  });
});

test('answers HEAD as it would GET', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');

  const answer = await server.call(PATH, { method: 'HEAD' });

  expect([answer.status, answer.text]).toEqual([200, '']);
});

test('refuses in the order of the contract', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  const { id } = await server.runtime.submit('hello');

  const answers = [
    await server.get('/runs/run_1/snapshot', { nobody: true }),
    await server.get('/runs/run_1/snapshot?thread_id=', { nobody: true }),
    await server.get(PATH, { nobody: true }),
    await server.get(PATH, { headers: { 'x-oa-user-id': '4.2' } }),
    await server.get('/runs/run_2/snapshot?thread_id=thread_1', { userId: 7 }),
    await server.get('/runs/run_1/snapshot?thread_id=thread_2', { userId: 7 }),
    await server.get(`/runs/${id}/snapshot?thread_id=thread_1`),
    await server.get('/runs/a%00b/snapshot?thread_id=thread_1'),
    await server.get(PATH, { userId: 7 }),
    await server.get(PATH, { guestScope: '42' }),
  ];

  expect(answers.map(({ status, body }) => [status, (body as { error: unknown }).error])).toEqual([
    [400, { code: 'invalid_request', message: 'thread_id is required' }],
    [400, { code: 'invalid_request', message: 'thread_id is required' }],
    [401, { code: 'unauthorized', message: 'missing or invalid principal headers' }],
    [401, { code: 'unauthorized', message: 'missing or invalid principal headers' }],
    [404, { code: 'not_found', message: 'run run_2 does not exist' }],
    [404, { code: 'not_found', message: 'run run_1 does not exist' }],
    [404, { code: 'not_found', message: `run ${id} does not exist` }],
    [404, { code: 'not_found', message: 'a run with such an id can not exist' }],
    [403, { code: 'forbidden', message: 'run/thread does not belong to principal' }],
    [403, { code: 'forbidden', message: 'run/thread does not belong to principal' }],
  ]);
});
