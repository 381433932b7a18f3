import { expect, test } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import { MESSAGE, send, stored } from './chat-calls.ts';
import { openTestServer, START_MS } from './test-server.ts';

test.each<[name: string, body: unknown, message: string]>([
  ['no fields', {}, 'user_id is required'],
  ['no user_id', { message: 'x' }, 'user_id is required'],
  ['no message', { user_id: 'ana' }, 'message is required'],
  ['an empty message', { ...MESSAGE, message: '' }, 'message must not be empty'],
  ['a blank message', { ...MESSAGE, message: ' \n\t' }, 'message must not be empty'],
  ['a null message', { ...MESSAGE, message: null }, 'message must be a string'],
  [
    'NUL in the message',
    { ...MESSAGE, message: 'a\0b' },
    'message must not contain NUL characters',
  ],
  ['an empty user_id', { ...MESSAGE, user_id: '' }, 'user_id must not be empty'],
  ['a number as user_id', { ...MESSAGE, user_id: 123456 }, 'user_id must be a string'],
  ...(['user_id', 'room_id', 'channel'] as const).flatMap((field) =>
    ['..', 'a/b', 'a\\b', 'a\nb', ' ', 'x'.repeat(129)].map((value): [string, unknown, string] => [
      `${field} ${JSON.stringify(value).slice(0, 12)}`,
      { ...MESSAGE, [field]: value },
      `${field} must be 1 to 128 characters, without control characters, /, \\ or ..`,
    ]),
  ),
  [
    'an agent_id with dots',
    { ...MESSAGE, agent_id: '../x' },
    'agent_id must be 1 to 128 characters, without control characters, /, \\ or ..',
  ],
  [
    'a session_id with dots',
    { ...MESSAGE, session_id: '../x' },
    'session_id must be 1 to 128 letters, digits, _ or -',
  ],
  ['an unknown field', { ...MESSAGE, thread: 1 }, 'unknown field: thread'],
  ['an array', [MESSAGE], 'request body must be a JSON object'],
  ['malformed JSON', '{"user_id":', 'request body is not valid JSON'],
])('refuses %s and stores nothing', async (_name, body, message) => {
  const server = await openTestServer();

  const answer = await server.post('/v1/chat/messages', body);

  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ error: { code: 'invalid.request', message } });
  expect(await stored(server)).toEqual({ runs: 0, sessions: 0 });
});

test('refuses a bad idempotency key and an unknown query parameter', async () => {
  const server = await openTestServer();

  const key = await server.post('/v1/chat/messages', MESSAGE, {
    headers: { 'idempotency-key': 'two words' },
  });
  const query = await server.post('/v1/chat/messages?wait=1', MESSAGE);

  expect([key.status, query.status]).toEqual([400, 400]);
  expect(await stored(server)).toEqual({ runs: 0, sessions: 0 });
});

test.each([
  [262_145, 'message must be at most 262144 characters'],
  [1_000_000, 'message must be at most 262144 characters'],
  [1_048_576, 'request body is too large'],
])('answers 413 to a message of %i characters', async (chars, message) => {
  const server = await openTestServer();

  const answer = await server.post('/v1/chat/messages', {
    ...MESSAGE,
    message: 'x'.repeat(chars),
  });

  expect(answer.status).toBe(413);
  expect(answer.body).toEqual({ error: { code: 'payload.too_large', message } });
  expect(await stored(server)).toEqual({ runs: 0, sessions: 0 });
  expect((await server.post('/v1/chat/messages', MESSAGE)).status).toBe(202);
});

test('takes a message of the longest length', async () => {
  const server = await openTestServer();

  const answer = await server.post('/v1/chat/messages', {
    ...MESSAGE,
    message: 'x'.repeat(262_144),
  });

  expect(answer.status).toBe(202);
});

test('answers 404 for an agent that does not exist, and opens no session for it', async () => {
  const server = await openTestServer();

  const answer = await server.post('/v1/chat/messages', { ...MESSAGE, agent_id: 'nobody' });

  expect(answer.status).toBe(404);
  expect(answer.body).toEqual({
    error: { code: 'agent.not_found', message: 'agent nobody does not exist' },
  });
  expect(await stored(server)).toEqual({ runs: 0, sessions: 0 });
});

test('answers 429 queue.full when too many runs wait', async () => {
  const server = await openTestServer({ maxQueued: 1 });
  await send(server);

  const answer = await server.post('/v1/chat/messages', MESSAGE);

  expect(answer.status).toBe(429);
  expect(answer.body).toEqual({
    error: {
      code: 'queue.full',
      message: 'run queue is full (1 waiting)',
      details: { retry_after_seconds: 2 },
    },
  });
});

test('answers 429 queue.full when too many messages wait in one session, and serves the others', async () => {
  const server = await openTestServer({ maxWaitingInSession: 2 });
  const { session_id } = await send(server);
  await send(server);

  const chat = await server.post('/v1/chat/messages', MESSAGE);
  const { agent_id, message } = MESSAGE;
  const run = await server.post('/v1/runs', { agent_id, message, session_id });
  const elsewhere = await server.post('/v1/chat/messages', { ...MESSAGE, room_id: 'other' });

  const refused = {
    error: {
      code: 'queue.full',
      message:
        `session ${session_id} has 2 messages waiting: send more when its run has ended; ` +
        'if that run waits for an approval, decide it or cancel the run',
      details: { retry_after_seconds: 2 },
    },
  };
  expect([chat.status, run.status, elsewhere.status]).toEqual([429, 429, 202]);
  expect([chat.body, run.body]).toEqual([refused, refused]);
  expect([chat, run].map(({ headers }) => headers['retry-after'])).toEqual(['2', '2']);
  expect(await stored(server)).toEqual({ runs: 3, sessions: 2 });
});

test('asks for the token', async () => {
  const server = await openTestServer();

  const answer = await server.post('/v1/chat/messages', MESSAGE, { anonymous: true });

  expect(answer.status).toBe(401);
  expect(answer.body).toMatchObject({ error: { code: 'auth.unauthorized' } });
});

test('answers 404 chat.disabled while chat is switched off, also to commands', async () => {
  let enabled = false;
  const server = await openTestServer({ chat: () => ({ enabled }) });

  const message = await server.post('/v1/chat/messages', MESSAGE);
  const command = await server.post('/v1/chat/messages', { ...MESSAGE, message: '/help' });
  enabled = true;
  const later = await server.post('/v1/chat/messages', MESSAGE);

  expect([message.status, command.status, later.status]).toEqual([404, 404, 202]);
  expect(message.body).toEqual({
    error: { code: 'chat.disabled', message: 'chat is switched off (chat.enabled)' },
  });
});

test.each([
  ['user', { allowUsers: ['ana'] }, { user_id: 'Ana' }, 'user Ana is not in chat.allow_users'],
  ['room', { allowRooms: ['ops'] }, { room_id: 'x' }, 'room x is not in chat.allow_rooms'],
])('answers 403 chat.rejected to a %s that is not listed', async (_name, chat, change, message) => {
  const server = await openTestServer({ chat: () => chat });

  const rejected = await server.post('/v1/chat/messages', { ...MESSAGE, ...change });
  const command = await server.post('/v1/chat/messages', {
    ...MESSAGE,
    ...change,
    message: '/chats',
  });
  const listed = await server.post('/v1/chat/messages', {
    user_id: 'ana',
    room_id: 'ops',
    message: 'hi',
  });

  expect([rejected.status, command.status, listed.status]).toEqual([403, 403, 202]);
  expect(rejected.body).toEqual({ error: { code: 'chat.rejected', message } });
  expect(await stored(server)).toEqual({ runs: 1, sessions: 1 });
});

test('answers 429 chat.rate_limited with the time to wait, and serves again after it', async () => {
  const clock = new ManualClock(START_MS);
  const server = await openTestServer({ clock, chat: () => ({ rateLimitPerMin: 2 }) });
  await send(server);
  clock.advance(10_500);
  await server.post('/v1/chat/messages', { ...MESSAGE, message: '/help' });

  const third = await server.post('/v1/chat/messages', MESSAGE);
  const elsewhere = await server.post('/v1/chat/messages', { ...MESSAGE, room_id: 'other' });
  clock.advance(49_500);
  const later = await server.post('/v1/chat/messages', MESSAGE);

  expect([third.status, elsewhere.status, later.status]).toEqual([429, 202, 202]);
  expect(third.headers['retry-after']).toBe('50');
  expect(third.body).toEqual({
    error: {
      code: 'chat.rate_limited',
      message: 'chat takes 2 messages a minute of user 123456 in room dev-room',
      details: { retry_after_seconds: 50 },
    },
  });
});

test('answers 429 chat.rate_limited once all users together have sent enough', async () => {
  const clock = new ManualClock(START_MS);
  const server = await openTestServer({ clock, chat: () => ({ globalRateLimitPerMin: 2 }) });
  await send(server, { user_id: 'ana' });
  await send(server, { user_id: 'ben' });

  const answer = await server.post('/v1/chat/messages', MESSAGE);

  expect(answer.status).toBe(429);
  expect(answer.headers['retry-after']).toBe('60');
  expect(answer.body).toEqual({
    error: {
      code: 'chat.rate_limited',
      message: 'chat takes 2 messages a minute of all users together',
      details: { retry_after_seconds: 60 },
    },
  });
});
