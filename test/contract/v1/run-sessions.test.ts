import { expect, test } from 'vitest';
import { addAgent, send } from './chat-calls.ts';
import { AGENT, openTestServer, type TestServer } from './test-server.ts';

const RUN = { agent_id: 'agent_default', message: 'Summarize repository status' };

async function openSession(server: TestServer, agentId = AGENT): Promise<string> {
  const place = { channel: 'http', userId: 'ana', roomId: 'dev-room' };
  return (await server.sessions.open({ ...place, agentId })).session.id;
}

async function storedRuns(server: TestServer): Promise<number> {
  return (await server.runs.list({ limit: 200 })).runs.length;
}

test('POST /v1/runs adds its message to the session that it names', async () => {
  const server = await openTestServer();
  const id = await openSession(server);

  const answer = await server.post('/v1/runs', { ...RUN, session_id: id });

  expect(answer.status).toBe(202);
  const { id: runId } = answer.body as { id: string };
  expect(answer.body).toEqual({ id: runId, status: 'queued' });
  const { messages } = await server.sessions.messages(id, { limit: 10 });
  expect(messages).toMatchObject([{ role: 'user', content: RUN.message, runId }]);
  const detail = (await server.call(`/v1/runs/${runId}`)).body;
  expect(detail).toMatchObject({ id: runId, source: 'http', session_id: id });
});

test('POST /v1/runs answers 404 for a session that does not exist', async () => {
  const server = await openTestServer();

  const answer = await server.post('/v1/runs', { ...RUN, session_id: 'session_none' });

  expect(answer.status).toBe(404);
  expect(answer.body).toEqual({
    error: { code: 'session.not_found', message: 'session session_none does not exist' },
  });
  expect(await storedRuns(server)).toBe(0);
});

test('POST /v1/runs answers 404 for the session of another agent', async () => {
  const server = await openTestServer();
  await addAgent(server, 'helper');
  const id = await openSession(server, 'helper' as typeof AGENT);

  const answer = await server.post('/v1/runs', { ...RUN, session_id: id });

  expect(answer.status).toBe(404);
  expect(answer.body).toEqual({
    error: { code: 'session.not_found', message: `session ${id} does not exist` },
  });
  expect(await storedRuns(server)).toBe(0);
});

test('POST /v1/runs answers 409 for a closed session, but still repeats what it did there', async () => {
  const server = await openTestServer();
  const id = await openSession(server);
  const headers = { 'idempotency-key': 'key-1' };
  const first = await server.post('/v1/runs', { ...RUN, session_id: id }, { headers });
  await server.sessions.close(id);

  const closed = await server.post('/v1/runs', { ...RUN, session_id: id });
  const repeated = await server.post('/v1/runs', { ...RUN, session_id: id }, { headers });

  expect(closed.status).toBe(409);
  expect(closed.body).toEqual({ error: { code: 'conflict', message: `session ${id} is closed` } });
  expect(repeated.status).toBe(202);
  expect(repeated.body).toEqual(first.body);
});

test('POST /v1/runs refuses an id that no session can have', async () => {
  const server = await openTestServer();

  const answer = await server.post('/v1/runs', { ...RUN, session_id: '../x' });

  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    error: {
      code: 'invalid.request',
      message: 'session_id must be 1 to 128 letters, digits, _ or -',
    },
  });
});

test('GET /v1/runs lists the runs of one session', async () => {
  const server = await openTestServer();
  const first = await send(server, { user_id: 'ana' });
  await send(server, { user_id: 'ben' });
  const second = await send(server, { user_id: 'ana' });
  await server.post('/v1/runs', RUN);

  const list = await server.call(`/v1/runs?session_id=${first.session_id}`);
  const none = await server.call('/v1/runs?session_id=session_none');
  const bad = await server.call('/v1/runs?session_id=a%2Fb');

  const { runs } = list.body as { runs: { id: string }[] };
  expect(runs.map((run) => run.id)).toEqual([second.id, first.id]);
  expect(none.body).toEqual({ runs: [], next_cursor: null });
  expect(bad.status).toBe(400);
});
