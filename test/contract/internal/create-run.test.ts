import { expect, test } from 'vitest';
import { createRun, openInternalServer } from './test-internal-server.ts';

const BODY = { thread_id: 'thread_1', run_id: 'run_1' };

test('creates a run that waits for its first frame', async () => {
  const server = await openInternalServer();

  const answer = await server.post('/runs', BODY);

  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    runId: 'run_1',
    threadId: 'thread_1',
    agentId: 'agent_default',
    status: 'created',
    latestSeq: 1,
    idempotentReplay: false,
  });
});

test('names a run that came without a name', async () => {
  const server = await openInternalServer();

  const first = await server.post('/runs', { thread_id: 'thread_1' });
  const second = await server.post('/runs', { thread_id: 'thread_1' });

  const { runId } = first.body as { runId: string };
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(runId).toMatch(/^run_[0-9a-z]{26}$/);
  expect((second.body as { runId: string }).runId).not.toBe(runId);
});

test('answers the same request again with the same run', async () => {
  const server = await openInternalServer();
  const body = { ...BODY, auto_finish: true, agent_id: 'agent_default' };
  await server.post('/runs', body);

  const answer = await server.post('/runs', body);

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    runId: 'run_1',
    threadId: 'thread_1',
    agentId: 'agent_default',
    status: 'created',
    latestSeq: 1,
    idempotentReplay: true,
  });
});

test.each<[name: string, body: object, userId: number]>([
  ['another thread', { ...BODY, thread_id: 'thread_2' }, 42],
  ['another rule for its end', { ...BODY, auto_finish: true }, 42],
  ['a tool of the client', { ...BODY, client_tools: [{ name: 'ask_user' }] }, 42],
  ['another user', BODY, 43],
])('refuses %s under the same id', async (_name, body, userId) => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');

  const answer = await server.post('/runs', body, { userId });

  expect(answer.status).toBe(409);
  expect(answer.body).toEqual({
    error: { code: 'conflict', message: 'run run_1 exists with other fields' },
  });
});

test('refuses the id of a run that is none of a thread', async () => {
  const server = await openInternalServer();
  const { id } = await server.runtime.submit('hello');

  const answer = await server.post('/runs', { thread_id: 'thread_1', run_id: id });

  expect(answer.status).toBe(409);
});

test('makes one run of many equal requests', async () => {
  const server = await openInternalServer();

  const answers = await Promise.all(Array.from({ length: 16 }, () => server.post('/runs', BODY)));

  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(15).fill(200), 201]);
});

test('creates runs of guests', async () => {
  const server = await openInternalServer();

  const answer = await server.post('/runs', BODY, { guestScope: 'guest-1' });

  expect(answer.status).toBe(201);
});

test.each<[name: string, body: unknown, message: string]>([
  ['no body', undefined, 'thread_id is required'],
  ['a list', [], 'thread_id is required'],
  ['no thread', {}, 'thread_id is required'],
  ['an empty thread', { thread_id: '' }, 'thread_id is required'],
  [
    'a run id that can not be',
    { ...BODY, run_id: 'a/b' },
    'run_id must be 1 to 128 letters, digits, _ or -',
  ],
  [
    'an agent id that can not be',
    { ...BODY, agent_id: 'a/b' },
    'agent_id must be 1 to 128 characters, without control characters, /, \\ or ..',
  ],
  ['a wrong flag', { ...BODY, auto_finish: 'yes' }, 'auto_finish must be true or false'],
  ['tools that are no list', { ...BODY, client_tools: {} }, 'client_tools must be an array'],
  ['a tool without a name', { ...BODY, client_tools: [{}] }, 'client_tools.0.name is required'],
  [
    'two tools of one name',
    { ...BODY, client_tools: [{ name: 'ask' }, { name: 'ask' }] },
    'client_tools: the name ask is taken',
  ],
  [
    'a tool with the name of a built-in one',
    { ...BODY, client_tools: [{ name: 'time.now' }] },
    'client_tools: the name time.now is taken',
  ],
])('refuses %s with 400', async (_name, body, message) => {
  const server = await openInternalServer();

  const answer = await server.post('/runs', body);

  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ error: { code: 'invalid_request', message } });
});

test('asks for the thread before the principal, and for the principal before the rest', async () => {
  const server = await openInternalServer();

  const noThread = await server.post('/runs', { auto_finish: 1 }, { nobody: true });
  const noPrincipal = await server.post('/runs', { ...BODY, auto_finish: 1 }, { nobody: true });

  expect(noThread.status).toBe(400);
  expect(noPrincipal.status).toBe(401);
  expect(noPrincipal.body).toEqual({
    error: { code: 'unauthorized', message: 'missing or invalid principal headers' },
  });
});

test('refuses an agent that does not exist with 404', async () => {
  const server = await openInternalServer();

  const answer = await server.post('/runs', { ...BODY, agent_id: 'nobody' });

  expect(answer.status).toBe(404);
  expect(answer.body).toEqual({
    error: { code: 'not_found', message: 'agent nobody does not exist' },
  });
});
