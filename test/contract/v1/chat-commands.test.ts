import { expect, test } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import { addAgent } from './chat-calls.ts';
import type { Answer } from './http-client.ts';
import { openTestServer, START_MS, type TestServer } from './test-server.ts';

const PLACE = { user_id: 'ana', room_id: 'dev-room' };

interface Said {
  readonly response: string;
  readonly session_id?: string;
}

function say(server: TestServer, message: string, fields: object = {}): Promise<Answer> {
  return server.post('/v1/chat/messages', { ...PLACE, ...fields, message });
}

/** A command's answer, which is always 200. */
async function command(server: TestServer, message: string, fields: object = {}): Promise<Said> {
  const answer = await say(server, message, fields);
  expect(answer.status).toBe(200);
  return answer.body as Said;
}

/** The session that a message ends up in. */
async function sessionOf(server: TestServer, fields: object = {}): Promise<string> {
  const answer = await say(server, 'hello', fields);
  expect(answer.status).toBe(202);
  return (answer.body as { session_id: string }).session_id;
}

test('/new starts another session, which the next message goes to', async () => {
  const server = await openTestServer();
  const old = await sessionOf(server);

  const said = await command(server, '/new');

  expect(said).toEqual({
    response: `Started new chat: ${said.session_id}`,
    session_id: said.session_id,
  });
  expect(said.session_id).not.toBe(old);
  expect(await sessionOf(server)).toBe(said.session_id);
  expect(await server.sessions.get(old)).toMatchObject({ closedAtMs: undefined, messageCount: 1 });
});

test('/resume goes back to a session of the same place', async () => {
  const server = await openTestServer();
  const old = await sessionOf(server);
  await command(server, '/new');

  const said = await command(server, `/resume ${old}`);

  expect(said).toEqual({ response: `Resumed chat: ${old}`, session_id: old });
  expect(await sessionOf(server)).toBe(old);
});

test.each([
  ['an unknown session', undefined, 'session_none'],
  ['an id with dots and slashes', undefined, '../../etc/passwd'],
  ['the session of another user', { user_id: 'ben' }, undefined],
  ['the session of another room', { room_id: 'other' }, undefined],
  ['the session of another channel', { channel: 'matrix' }, undefined],
  ['the session of another agent', { agent_id: 'helper' }, undefined],
])('/resume of %s says where it looked and replaces nothing', async (_name, elsewhere, given) => {
  const server = await openTestServer();
  await addAgent(server, 'helper');
  const current = await sessionOf(server);
  const id = given ?? (await sessionOf(server, elsewhere));

  const said = await command(server, `/resume ${id}`);

  expect(said).toEqual({
    response:
      `Chat not found: ${id}. Looked among the chats of user ana with agent agent_default in room dev-room ` +
      'of channel http. The current chat stays; /chats lists the others.',
  });
  expect(await sessionOf(server)).toBe(current);
});

test('/resume of a closed session says so and replaces nothing', async () => {
  const server = await openTestServer();
  const old = await sessionOf(server);
  const { session_id: current } = await command(server, '/new');
  await server.sessions.close(old);

  const said = await command(server, `/resume ${old}`);

  expect(said).toEqual({
    response: `Chat ${old} is closed and takes no more messages. The current chat stays.`,
  });
  expect(await sessionOf(server)).toBe(current);
});

test.each(['x', '🦀'])('/resume repeats no more of a long id of %s than needed', async (char) => {
  const server = await openTestServer();

  const said = await command(server, `/resume ${char.repeat(100_000)}`);

  expect(said.response.startsWith(`Chat not found: ${char.repeat(128)}…. Looked`)).toBe(true);
  expect(said.response.length).toBeLessThan(600);
});

test('/chats lists the ten newest open sessions of the place, last used first', async () => {
  const clock = new ManualClock(START_MS);
  const server = await openTestServer({ clock, chat: () => ({ rateLimitPerMin: 100 }) });
  const ids: string[] = [];
  for (let number = 0; number < 12; number += 1) {
    clock.advance(60_000);
    ids.push((await command(server, '/new')).session_id ?? '');
    await say(server, `message\n number ${number}`);
  }
  await server.sessions.close(ids[11] ?? '');
  await sessionOf(server, { room_id: 'other' });
  clock.advance(60_000);
  await command(server, `/resume ${ids[0]}`);
  await say(server, 'again');
  clock.advance(60_000);
  const { session_id: empty } = await command(server, '/new');

  const said = await command(server, '/chats');

  const older = ids.slice(3, 11).reverse();
  expect(said).toEqual({
    response: [
      'Recent chats:',
      `1. (no messages yet) | ${empty} | 2026-02-15T00:14:00.000Z`,
      `2. message number 0 | ${ids[0]} | 2026-02-15T00:13:00.000Z`,
      ...older.map((id, at) => {
        const number = 10 - at;
        const minute = String(number + 1).padStart(2, '0');
        return `${at + 3}. message number ${number} | ${id} | 2026-02-15T00:${minute}:00.000Z`;
      }),
    ].join('\n'),
  });
  expect(await command(server, '/sessions')).toEqual(said);
});

test('/chats says when there are none', async () => {
  const server = await openTestServer();

  expect(await command(server, '/chats')).toEqual({ response: 'No chats found' });
});

test('/agent chooses who answers here, durably, for messages that name nobody', async () => {
  const server = await openTestServer();
  await addAgent(server, 'helper');
  const before = await command(server, '/agent');

  const said = await command(server, '/agent helper');

  expect(before).toEqual({ response: 'Agent here: agent_default' });
  expect(said).toEqual({ response: 'Agent here is now helper, for messages that name none.' });
  expect(await command(server, '/agent')).toEqual({ response: 'Agent here: helper' });
  const place = { channel: 'http', userId: 'ana', roomId: 'dev-room' };
  expect(await server.storage.sessions.findActiveAgent(place)).toBe('helper');
  const [here, named, elsewhere] = [
    await sessionOf(server),
    await sessionOf(server, { agent_id: 'agent_default' }),
    await sessionOf(server, { room_id: 'other' }),
  ];
  const agents = await Promise.all([here, named, elsewhere].map((id) => server.sessions.get(id)));
  expect(agents.map((session) => session.agentId)).toEqual([
    'helper',
    'agent_default',
    'agent_default',
  ]);
});

test.each(['nobody', '../x', 'a/b'])(
  '/agent %s says that there is no such agent and changes nothing',
  async (id) => {
    const server = await openTestServer();

    const said = await command(server, `/agent ${id}`);

    expect(said).toEqual({ response: `Agent not found: ${id}. /agents lists those there are.` });
    expect(await command(server, '/agent')).toEqual({ response: 'Agent here: agent_default' });
  },
);

test('/agents lists the agents and marks the one that answers here', async () => {
  const server = await openTestServer();
  await addAgent(server, 'helper');
  await command(server, '/agent helper');

  const said = await command(server, '/agents');

  expect(said).toEqual({
    response: 'Agents:\n- agent_default: Default\n- helper: The helper (answers here)',
  });
});

test('/help lists the commands', async () => {
  const server = await openTestServer();

  const said = await command(server, '/help');

  expect(said).toEqual({
    response: [
      'Commands:',
      '/new starts a new chat; the old one is kept.',
      '/chats (or /sessions) lists the newest chats here.',
      '/resume <session id> goes on with one of them.',
      '/agents lists the agents.',
      '/agent says which agent answers here; /agent <agent id> chooses another.',
      '/help shows this.',
      'Anything else goes to the agent.',
    ].join('\n'),
  });
});

test.each([
  ['/resume', 'Usage: /resume <session id>'],
  ['/resume a b', 'Usage: /resume <session id>'],
  ['/new now', 'Usage: /new'],
  ['/agent a b', 'Usage: /agent [<agent id>]'],
])('%s answers with its usage and does nothing', async (message, response) => {
  const server = await openTestServer();

  const said = await command(server, message);

  expect(said).toEqual({ response });
  const { sessions } = await server.sessions.list({ includeClosed: true, limit: 10 });
  expect(sessions).toEqual([]);
});

test.each(['/new', '/chats', '/resume session_1'])(
  '%s answers 200 when its agent does not exist',
  async (message) => {
    const server = await openTestServer();

    const said = await command(server, message, { agent_id: 'nobody' });

    expect(said).toEqual({
      response: 'Agent not found: nobody. /agents lists those there are.',
    });
  },
);

test('keeps no command in a conversation, and makes no run of one', async () => {
  const server = await openTestServer();
  const id = await sessionOf(server);

  for (const message of ['/help', '/chats', '/agents', '/agent', '/resume x', '/NEW now']) {
    await command(server, message);
  }

  const { messages } = await server.sessions.messages(id, { limit: 100 });
  expect(messages.map((message) => message.content)).toEqual(['hello']);
  expect((await server.runs.list({ limit: 10 })).runs).toHaveLength(1);
});
