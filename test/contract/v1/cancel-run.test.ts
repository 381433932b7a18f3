import { expect, test } from 'vitest';
import { finish, openTestServer, start, submit } from './test-server.ts';

test('ends a queued run at once and records the reason', async () => {
  const server = await openTestServer();
  const run = await submit(server, 'run_1');

  const answer = await server.post('/v1/runs/run_1/cancel', { reason: 'no longer needed' });

  expect(answer.status).toBe(202);
  expect(answer.body).toEqual({
    id: 'run_1',
    status: 'cancelled',
    cancel_requested: true,
    idempotent_replay: false,
  });
  const events = await server.storage.events.read(run.id, { after: 1, limit: 10 });
  expect(events.map((event) => [event.type, event.payload['reason']])).toEqual([
    ['run.cancel_requested', 'no longer needed'],
    ['run.cancelled', 'no longer needed'],
  ]);
});

test('asks a running run to stop, and a second wish changes nothing', async () => {
  const server = await openTestServer();
  await start(server, 'run_1');

  const first = await server.post('/v1/runs/run_1/cancel', {});
  const second = await server.post('/v1/runs/run_1/cancel', {});

  expect(first.status).toBe(202);
  expect(first.body).toEqual({
    id: 'run_1',
    status: 'cancelling',
    cancel_requested: true,
    idempotent_replay: false,
  });
  expect(second.status).toBe(200);
  expect(second.body).toEqual({
    id: 'run_1',
    status: 'cancelling',
    cancel_requested: true,
    idempotent_replay: true,
  });
});

test('leaves a completed run as it is', async () => {
  const server = await openTestServer();
  await finish(server, await start(server, 'run_1'));

  const answer = await server.post('/v1/runs/run_1/cancel', {});

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    id: 'run_1',
    status: 'completed',
    cancel_requested: false,
    idempotent_replay: true,
  });
});

test.each([
  ['no body at all', {}],
  ['an announced but empty body', { body: '' }],
])('takes %s', async (_name, options) => {
  const server = await openTestServer();
  await submit(server, 'run_1');

  const answer = await server.call('/v1/runs/run_1/cancel', { method: 'POST', ...options });

  expect(answer.status).toBe(202);
});

test('answers 404 for a run that does not exist', async () => {
  const server = await openTestServer();

  const answer = await server.post('/v1/runs/run_missing/cancel', {});

  expect(answer.status).toBe(404);
  expect(answer.body).toEqual({
    error: { code: 'run.not_found', message: 'run run_missing does not exist' },
  });
});

test.each<[body: unknown, message: string]>([
  [{ reason: 7 }, 'reason must be a string'],
  [{ reason: 'a\0b' }, 'reason must not contain NUL characters'],
  [{ reason: 'x'.repeat(501) }, 'reason must be at most 500 characters'],
  [{ why: 'x' }, 'unknown field: why'],
  [['x'], 'request body must be a JSON object'],
])('refuses the body %j', async (body, message) => {
  const server = await openTestServer();
  const run = await submit(server, 'run_1');

  const answer = await server.post('/v1/runs/run_1/cancel', body);

  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ error: { code: 'invalid.request', message } });
  expect((await server.runs.get(run.id)).status).toBe('queued');
});
