import { expect, test } from 'vitest';
import { openAdminServer, START } from './test-admin-server.ts';

const PATH = '/api/admin/chat/sessions';
const PLACE = { agent_id: 'agent_default', channel: 'cli', user_id: 'ana', room_id: 'notes' };
const TOLD = [
  { role: 'user', content: 'remember the milk' },
  { role: 'assistant', content: 'I will' },
];

test('opens the session of a place, the same each time', async () => {
  const server = await openAdminServer();

  const first = await server.post(PATH, PLACE);
  const second = await server.post(PATH, PLACE);

  expect([first.status, first.body]).toEqual([
    200,
    {
      session_id: expect.stringMatching(/^session_/),
      ...PLACE,
      title: '',
      message_count: 0,
      last_exchange: 0,
      forked_from: null,
      created_at: START,
      updated_at: START,
      closed_at: null,
    },
  ]);
  expect(second.body).toEqual(first.body);
});

test('begins a new session with what was said so far', async () => {
  const server = await openAdminServer();

  const opened = await server.post(PATH, { ...PLACE, messages: TOLD });
  const again = await server.post(PATH, { ...PLACE, messages: TOLD });

  const { session_id: id } = opened.body as { session_id: string };
  const { body } = await server.call(`${PATH}/${id}/messages`);
  expect(body).toMatchObject({ messages: TOLD });
  expect(again.body).toMatchObject({ session_id: id, message_count: 2, last_exchange: 1 });
});

test('an unknown agent is 404', async () => {
  const server = await openAdminServer();

  const answer = await server.post(PATH, { ...PLACE, agent_id: 'nobody' });

  expect([answer.status, answer.body]).toEqual([
    404,
    { error: { code: 'agent.not_found', message: 'agent nobody does not exist' } },
  ]);
});

test.each<[change: object, message: string]>([
  [
    { room_id: '../x' },
    'room_id must be 1 to 128 characters, without control characters, /, \\ or ..',
  ],
  [{ messages: [{ role: 'tool', content: '' }] }, 'messages.0.role must be one of user, assistant'],
  [{ at: 1 }, 'unknown field: at'],
])('refuses %j', async (change, message) => {
  const server = await openAdminServer();

  const answer = await server.post(PATH, { ...PLACE, ...change });

  expect([answer.status, answer.body]).toEqual([
    400,
    { error: { code: 'invalid.request', message } },
  ]);
});
