import { expect, test } from 'vitest';
import { addAgent, MESSAGE, type Queued, send, stored } from './chat-calls.ts';
import { finish, openTestServer, type TestServer } from './test-server.ts';

test('opens a session, stores the message and answers 202 with run and session', async () => {
  const server = await openTestServer();

  const answer = await server.post('/v1/chat/messages', MESSAGE);

  const [run] = (await server.runs.list({ limit: 10 })).runs;
  const [session] = (await server.sessions.list({ includeClosed: true, limit: 10 })).sessions;
  expect(answer.status).toBe(202);
  expect(answer.body).toEqual({ id: run?.id, status: 'queued', session_id: session?.id });
  expect(answer.headers['location']).toBe(`/v1/runs/${run?.id}`);
  expect(session).toMatchObject({
    agentId: 'agent_default',
    channel: 'http',
    userId: '123456',
    roomId: 'dev-room',
    title: 'Summarize today updates',
    messageCount: 1,
  });
  expect(run).toMatchObject({ source: 'chat', message: MESSAGE.message, sessionId: session?.id });
  const { messages } = await server.sessions.messages(session?.id ?? '', { limit: 10 });
  expect(messages).toMatchObject([{ role: 'user', content: MESSAGE.message, runId: run?.id }]);
});

test('fills in the room, the channel and the agent that a message does not name', async () => {
  const server = await openTestServer();

  const answer = await server.post('/v1/chat/messages', { user_id: 'ana', message: 'hi' });

  const { session_id: id } = answer.body as Queued;
  expect(await server.sessions.get(id)).toMatchObject({
    agentId: 'agent_default',
    channel: 'http',
    userId: 'ana',
    roomId: 'dashboard',
  });
});

test('goes on with the same session, and has another one for each user, room, channel and agent', async () => {
  const server = await openTestServer();
  await addAgent(server, 'helper');
  const first = await send(server);

  const again = await send(server);
  const others = [
    await send(server, { user_id: 'ana' }),
    await send(server, { room_id: 'other' }),
    await send(server, { channel: 'matrix' }),
    await send(server, { agent_id: 'helper' }),
  ];

  expect(again.session_id).toBe(first.session_id);
  const ids = [first, ...others].map((one) => one.session_id);
  expect(new Set(ids).size).toBe(5);
});

test('a second message can not be claimed before the run of the first has ended', async () => {
  const server = await openTestServer();
  const first = await send(server);
  const second = await send(server, { message: 'and yesterday?' });

  const claim = () =>
    server.storage.runs.claim({
      owner: 'test',
      leaseMs: 60_000,
      started: server.seal({ type: 'run.started', payload: {} }),
      recovered: server.seal({ type: 'run.recovered', payload: {} }),
    });
  const one = await claim();
  const none = await claim();
  if (!one) throw new Error('nothing to claim');
  await finish(server, { runId: one.run.id, leaseId: one.lease.id });
  const next = await claim();

  expect(one.run).toMatchObject({ id: first.id, exchange: 1 });
  expect(none).toBeUndefined();
  expect(next?.run).toMatchObject({ id: second.id, exchange: 2 });
});

test('answers a repeated idempotency key with the first run and session, whatever is active now', async () => {
  const server = await openTestServer();
  await addAgent(server, 'helper');
  const { agent_id: _named, ...body } = MESSAGE;
  const headers = { 'idempotency-key': 'key-1' };
  const first = await server.post('/v1/chat/messages', body, { headers });
  await server.post('/v1/chat/messages', { ...body, message: '/new' });
  await server.post('/v1/chat/messages', { ...body, message: '/agent helper' });

  const second = await server.post('/v1/chat/messages', body, { headers });

  expect(second.status).toBe(202);
  expect(second.body).toEqual(first.body);
  expect(first.headers['idempotent-replay']).toBeUndefined();
  expect(second.headers['idempotent-replay']).toBe('true');
  expect((await stored(server)).runs).toBe(1);
});

test.each([[{ message: 'other' }], [{ room_id: 'other' }], [{ user_id: 'ana' }]])(
  'refuses an idempotency key that was used for another message than with %j',
  async (change) => {
    const server = await openTestServer();
    const headers = { 'idempotency-key': 'key-1' };
    await server.post('/v1/chat/messages', MESSAGE, { headers });

    const answer = await server.post('/v1/chat/messages', { ...MESSAGE, ...change }, { headers });

    expect(answer.status).toBe(409);
    expect(answer.body).toEqual({
      error: {
        code: 'conflict',
        message: 'idempotency key was used for another request',
        details: { key: 'key-1' },
      },
    });
    expect((await stored(server)).runs).toBe(1);
  },
);

test('writes to the session that a message names and leaves the active one as it is', async () => {
  const server = await openTestServer();
  const old = await send(server);
  await server.post('/v1/chat/messages', { ...MESSAGE, message: '/new' });
  const active = await send(server);

  const named = await send(server, { session_id: old.session_id, agent_id: undefined });
  const next = await send(server);

  expect(named.session_id).toBe(old.session_id);
  expect(next.session_id).toBe(active.session_id);
  expect(active.session_id).not.toBe(old.session_id);
});

test.each([
  ['unknown', {}, 'session_none'],
  ['of another user', { user_id: 'ana' }, undefined],
  ['of another room', { room_id: 'other' }, undefined],
  ['of another channel', { channel: 'matrix' }, undefined],
  ['of another agent', { agent_id: 'helper' }, undefined],
])('answers 404 for a session that is %s', async (_name, change, unknown) => {
  const server = await openTestServer();
  await addAgent(server, 'helper');
  const { session_id: mine } = await send(server);
  const id = unknown ?? mine;

  const answer = await server.post('/v1/chat/messages', { ...MESSAGE, ...change, session_id: id });

  expect(answer.status).toBe(404);
  expect(answer.body).toEqual({
    error: { code: 'session.not_found', message: `session ${id} does not exist` },
  });
  expect(await stored(server)).toEqual({ runs: 1, sessions: 1 });
});

test('answers 409 for a named session that is closed, and opens another when none is named', async () => {
  const server = await openTestServer();
  const { session_id: id } = await send(server);
  await server.sessions.close(id);

  const named = await server.post('/v1/chat/messages', { ...MESSAGE, session_id: id });
  const unnamed = await send(server);

  expect(named.status).toBe(409);
  expect(named.body).toEqual({ error: { code: 'conflict', message: `session ${id} is closed` } });
  expect(unnamed.session_id).not.toBe(id);
});

test('finds another session when the active one is closed while the message is on its way', async () => {
  let server: TestServer | undefined;
  let closings = 0;
  server = await openTestServer({
    alter: (runs) => ({
      ...runs,
      async submit(request) {
        if (closings === 0 && request.sessionId !== undefined) {
          closings += 1;
          await server?.storage.sessions.close(request.sessionId);
        }
        return runs.submit(request);
      },
    }),
  });

  const { session_id: id } = await send(server);

  expect(closings).toBe(1);
  expect(await server.sessions.get(id)).toMatchObject({ closedAtMs: undefined });
  expect(await stored(server)).toEqual({ runs: 1, sessions: 2 });
});

test.each(['/tool time.now {}', '/resumeX session_1', '/unknown'])(
  'takes %j for an ordinary message',
  async (message) => {
    const server = await openTestServer();

    const { id } = await send(server, { message });

    const [run] = (await server.runs.list({ limit: 10 })).runs;
    expect(run).toMatchObject({ id, message });
  },
);
