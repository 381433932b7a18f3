import { expect, test } from 'vitest';
import type { AgentId, SessionId } from '../../../src/core/ids.ts';
import { ANSWER, converse, exchange, LISTED, open, SEEN, SESSION, start } from './session-calls.ts';
import { openAdminServer } from './test-admin-server.ts';

test('shows a session, and lists it', async () => {
  const server = await openAdminServer();
  await open(server, 'session_1');

  const one = await server.call('/api/admin/chat/sessions/session_1');
  const all = await server.call('/api/admin/chat/sessions');

  expect([one.status, one.body]).toEqual([200, SEEN]);
  expect([all.status, all.body]).toEqual([200, { sessions: [LISTED], next_cursor: null }]);
});

test('pages from the last updated to the first', async () => {
  const server = await openAdminServer();
  await open(server, 'session_1');
  server.clock.advance(1);
  await open(server, 'session_2');

  const first = await server.call('/api/admin/chat/sessions?limit=1');
  const { sessions, next_cursor: cursor } = first.body as {
    sessions: { session_id: string }[];
    next_cursor: string;
  };
  const second = await server.call(`/api/admin/chat/sessions?limit=1&cursor=${cursor}`);

  expect(sessions.map(({ session_id }) => session_id)).toEqual(['session_2']);
  expect(second.body).toEqual({ sessions: [LISTED], next_cursor: null });
});

test.each([
  ['agent_id=agent_default', 1],
  ['agent_id=agent_other', 1],
  ['agent_id=agent_none', 0],
  ['user_id=ana', 2],
  ['user_id=bob', 0],
  ['room_id=dev', 1],
  ['room_id=', 0],
  ['channel=http&room_id=ops', 1],
  ['channel=cli', 0],
  ['include_closed=false', 2],
  ['include_closed=true', 3],
])('filters by %s', async (query, count) => {
  const server = await openAdminServer();
  await open(server, 'session_1');
  await open(server, 'session_2', { agentId: 'agent_other' as AgentId, roomId: 'ops' });
  await open(server, 'session_3', { userId: 'eve' });
  await server.post('/api/admin/chat/sessions/session_3/close', undefined);

  const answer = await server.call(`/api/admin/chat/sessions?${query}`);

  expect(answer.status).toBe(200);
  expect((answer.body as { sessions: unknown[] }).sessions).toHaveLength(count);
});

test('shows messages in order, with what tools and runs they came from', async () => {
  const server = await openAdminServer();
  await open(server, 'session_1');
  await converse(server, 'run_1', 'first');
  await converse(server, 'run_2', 'second');

  const answer = await server.call('/api/admin/chat/sessions/session_1/messages');

  expect([answer.status, answer.body]).toEqual([
    200,
    {
      session_id: 'session_1',
      messages: [...exchange(1, 'run_1', 'first'), ...exchange(2, 'run_2', 'second')],
      next_cursor: null,
    },
  ]);
});

test('pages messages from the newest page back, each oldest first', async () => {
  const server = await openAdminServer();
  await open(server, 'session_1');
  await converse(server, 'run_1', 'first');
  await converse(server, 'run_2', 'second');
  const path = '/api/admin/chat/sessions/session_1/messages?limit=4';

  const first = await server.call(path);
  const { messages, next_cursor: cursor } = first.body as {
    messages: unknown[];
    next_cursor: string;
  };
  const second = await server.call(`${path}&cursor=${cursor}`);

  expect(messages).toEqual([
    ...exchange(1, 'run_1', 'first').slice(2),
    ...exchange(2, 'run_2', 'second'),
  ]);
  expect(second.body).toEqual({
    session_id: 'session_1',
    messages: exchange(1, 'run_1', 'first').slice(0, 2),
    next_cursor: null,
  });
});

test('a page as long as allowed leads on to what lies before it', async () => {
  const server = await openAdminServer();
  await open(server, 'session_1');
  const message = { ...ANSWER, toolName: undefined, toolCallId: undefined, status: undefined };
  for (let at = 0; at < 6; at += 1) {
    const batch = Array.from({ length: 200 }, () => message);
    await server.storage.sessions.append('session_1' as SessionId, batch);
  }
  const path = '/api/admin/chat/sessions/session_1/messages?limit=1000';

  const first = await server.call(path);
  const { messages, next_cursor: cursor } = first.body as {
    messages: unknown[];
    next_cursor: string;
  };
  const second = await server.call(`${path}&cursor=${cursor}`);

  expect(messages).toHaveLength(1_000);
  expect((second.body as { messages: unknown[] }).messages).toHaveLength(200);
});

test('an answer stays bounded when messages are long', async () => {
  const server = await openAdminServer();
  await open(server, 'session_1');
  const content = 'x'.repeat(1024 * 1024);
  const message = { ...ANSWER, content, toolName: undefined, toolCallId: undefined };
  const batch = Array.from({ length: 6 }, () => ({ ...message, status: undefined }));
  await server.storage.sessions.append('session_1' as SessionId, batch);
  const path = '/api/admin/chat/sessions/session_1/messages';

  const first = await server.call(path);
  const { messages, next_cursor: cursor } = first.body as {
    messages: unknown[];
    next_cursor: string;
  };
  const second = await server.call(`${path}?cursor=${cursor}`);

  expect(messages).toHaveLength(4);
  expect(second.body).toMatchObject({ messages: [{}, {}], next_cursor: null });
});

test('closes a session, once and again', async () => {
  const server = await openAdminServer();
  await open(server, 'session_1');
  server.clock.advance(1_000);

  const path = '/api/admin/chat/sessions/session_1/close';
  const first = await server.post(path, undefined);
  server.clock.advance(1_000);
  const second = await server.post(path, {});

  const at = '2026-02-15T00:00:01.000Z';
  const closed = { ...SESSION, updated_at: at, closed_at: at };
  expect([first.status, first.body]).toEqual([200, closed]);
  expect([second.status, second.body]).toEqual([200, closed]);
});

test('compacts what was said so far, and keeps it readable', async () => {
  const server = await openAdminServer();
  await open(server, 'session_1');
  await converse(server, 'run_1', 'first');
  await start(server, 'run_2', 'still going on');

  const path = '/api/admin/chat/sessions/session_1/compact';
  const first = await server.post(path, undefined);
  const second = await server.post(path, {});
  const shown = await server.call('/api/admin/chat/sessions/session_1/messages');

  const compacted = {
    session_id: 'session_1',
    folded_messages: 3,
    summary:
      'Earlier in this conversation (3 messages, shortened):\n' +
      '#1 user: first\n#2 tool time.now:\n#3 failed run: it went wrong',
  };
  expect([first.status, first.body]).toEqual([200, compacted]);
  expect([second.status, second.body]).toEqual([200, { ...compacted, folded_messages: 0 }]);
  expect((shown.body as { messages: unknown[] }).messages).toHaveLength(4);
});

test('a session without messages has nothing to compact', async () => {
  const server = await openAdminServer();
  await open(server, 'session_1');

  const answer = await server.post('/api/admin/chat/sessions/session_1/compact', undefined);

  expect([answer.status, answer.body]).toEqual([
    200,
    { session_id: 'session_1', folded_messages: 0, summary: '' },
  ]);
});

test('forks a session up to an exchange', async () => {
  const server = await openAdminServer();
  await open(server, 'session_1');
  await converse(server, 'run_1', 'first');
  await converse(server, 'run_2', 'second');

  const forked = await server.post('/api/admin/chat/sessions/session_1/fork', {
    through_exchange: 1,
    session_id: 'session_9',
  });
  const messages = await server.call('/api/admin/chat/sessions/session_9/messages');

  expect([forked.status, forked.headers.location, forked.body]).toEqual([
    201,
    '/api/admin/chat/sessions/session_9',
    {
      ...SESSION,
      session_id: 'session_9',
      title: 'first',
      message_count: 3,
      last_exchange: 1,
      forked_from: 'session_1',
    },
  ]);
  expect(messages.body).toEqual({
    session_id: 'session_9',
    messages: exchange(1, 'run_1', 'first'),
    next_cursor: null,
  });
});

test('forks the whole of a session under an id of its own, but not over another', async () => {
  const server = await openAdminServer();
  await open(server, 'session_1');

  const whole = await server.post('/api/admin/chat/sessions/session_1/fork', undefined);
  const taken = await server.post('/api/admin/chat/sessions/session_1/fork', {
    session_id: 'session_1',
  });

  expect(whole.status).toBe(201);
  expect(whole.body).toMatchObject({
    session_id: expect.stringMatching(/^session_[0-9a-z]{26}$/),
    forked_from: 'session_1',
  });
  expect([taken.status, taken.body]).toEqual([
    409,
    { error: { code: 'conflict', message: 'session session_1 exists already' } },
  ]);
});

test.each([
  ['GET', ''],
  ['GET', '/messages'],
  ['POST', '/close'],
  ['POST', '/compact'],
  ['POST', '/fork'],
])(
  'answers %s %s of a session that is not there with 404, and of an impossible id with 400',
  async (method, path) => {
    const server = await openAdminServer();

    const unknown = await server.call(`/api/admin/chat/sessions/session_none${path}`, { method });
    const impossible = await server.call(`/api/admin/chat/sessions/..%2Fx${path}`, { method });

    expect([unknown.status, unknown.body]).toEqual([
      404,
      { error: { code: 'session.not_found', message: 'session session_none does not exist' } },
    ]);
    expect([impossible.status, impossible.body]).toEqual([
      400,
      {
        error: {
          code: 'invalid.request',
          message: 'session_id must be 1 to 128 letters, digits, _ or -',
        },
      },
    ]);
  },
);

test.each([
  ['?limit=0', 'limit must be at least 1'],
  ['?limit=501', 'limit must be at most 500'],
  ['?cursor=abc', 'cursor is not one that a list answered with'],
  ['?q=%20', 'q must not be empty'],
  [`?q=${'x'.repeat(201)}`, 'q must be at most 200 characters'],
  ['?include_closed=maybe', 'include_closed must be one of true, false'],
  ['?offset=1', 'unknown query parameter: offset'],
  ['/session_1/messages?limit=1001', 'limit must be at most 1000'],
  ['/session_1/messages?cursor=abc', 'cursor is not one that a list answered with'],
])('refuses %s', async (query, message) => {
  const server = await openAdminServer();
  await open(server, 'session_1');

  const answer = await server.call(`/api/admin/chat/sessions${query}`);

  expect([answer.status, answer.body]).toEqual([
    400,
    { error: { code: 'invalid.request', message } },
  ]);
});

test.each<[body: unknown, message: string]>([
  [{ through_exchange: -1 }, 'through_exchange must be at least 0'],
  [{ through_exchange: 1.5 }, 'through_exchange must be an integer'],
  [{ session_id: '../x' }, 'session_id must be 1 to 128 letters, digits, _ or -'],
  [{ at: 1 }, 'unknown field: at'],
])('refuses the fork %j', async (body, message) => {
  const server = await openAdminServer();
  await open(server, 'session_1');

  const answer = await server.post('/api/admin/chat/sessions/session_1/fork', body);

  expect([answer.status, answer.body]).toEqual([
    400,
    { error: { code: 'invalid.request', message } },
  ]);
});
