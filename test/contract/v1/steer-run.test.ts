import { expect, test } from 'vitest';
import type { RunId } from '../../../src/core/ids.ts';
import { finish, openTestServer, start } from './test-server.ts';

const STEER = '/v1/runs/run_1/steer';

test('stores a message for a run on its way, once for each key', async () => {
  const server = await openTestServer();
  await start(server, 'run_1');
  const keyed = { headers: { 'idempotency-key': 'k1' } };

  const first = await server.post(STEER, { message: 'be brief' }, keyed);
  const again = await server.post(STEER, { message: 'be brief' }, keyed);
  const other = await server.post(STEER, { message: 'be long' }, keyed);

  expect([first.status, first.body]).toEqual([
    202,
    { id: 'run_1', seq: 3, idempotent_replay: false },
  ]);
  expect([again.status, again.body]).toEqual([200, { id: 'run_1', idempotent_replay: true }]);
  const message = 'the idempotency key was used for another message';
  expect([other.status, other.body]).toEqual([409, { error: { code: 'conflict', message } }]);
  const [event] = await server.storage.events.read('run_1' as RunId, { after: 2, limit: 10 });
  expect(event).toMatchObject({
    type: 'frame.accepted',
    actor: 'user',
    payload: { frame_id: 'steer:k1', type: 'user_message', payload: { text: 'be brief' } },
  });
});

test('a run that has ended answers with what to do instead', async () => {
  const server = await openTestServer();
  await finish(server, await start(server, 'run_1'));

  const answer = await server.post(STEER, { message: 'too late' });

  expect(answer.status).toBe(409);
  expect(answer.body).toEqual({
    error: {
      code: 'conflict',
      message: 'run run_1 has ended (completed): send the message as the next one',
    },
  });
});

test.each([
  ['nothing', {}],
  ['blanks', { message: '  ' }],
  ['a number', { message: 7 }],
  ['more than a message', { message: 'x', actor: 'system' }],
])('refuses %s', async (_, body) => {
  const server = await openTestServer();
  await start(server, 'run_1');

  const answer = await server.post(STEER, body);

  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ error: { code: 'invalid.request' } });
});

test('knows no other runs, and nobody without the token', async () => {
  const server = await openTestServer();
  await start(server, 'run_1');

  const absent = await server.post('/v1/runs/run_absent/steer', { message: 'x' });
  const stranger = await server.post(
    STEER,
    { message: 'x' },
    { headers: { authorization: 'Bearer wrong' } },
  );

  expect([absent.status, absent.body]).toMatchObject([404, { error: { code: 'run.not_found' } }]);
  expect(stranger.status).toBe(401);
});
