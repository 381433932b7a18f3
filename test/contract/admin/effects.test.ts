import { expect, test } from 'vitest';
import { leaveUnknown, openAdminServer, START } from './test-admin-server.ts';

const EFFECT = {
  id: 'req_1',
  run_id: 'run_1',
  agent_id: 'agent_default',
  tool: 'mail.send',
  tool_call_id: 'call_1',
  idempotency_key: 'key-1',
  input_digest: 'd1',
  status: 'unknown',
  error: { code: 'outcome_unknown', message: 'nobody heard' },
  created_at: START,
  updated_at: START,
  resolution: null,
};

test('shows an effect, and lists it', async () => {
  const server = await openAdminServer();
  await leaveUnknown(server, 'run_1', 'req_1');

  const one = await server.call('/api/admin/effects/req_1');
  const all = await server.call('/api/admin/effects');

  expect([one.status, one.body]).toEqual([200, EFFECT]);
  expect([all.status, all.body]).toEqual([200, { effects: [EFFECT], next_cursor: null }]);
});

test('pages from newest to oldest', async () => {
  const server = await openAdminServer();
  await leaveUnknown(server, 'run_1', 'req_1');
  server.clock.advance(1);
  await leaveUnknown(server, 'run_2', 'req_2');

  const first = await server.call('/api/admin/effects?limit=1');
  const { effects, next_cursor: cursor } = first.body as {
    effects: { id: string }[];
    next_cursor: string;
  };
  const second = await server.call(`/api/admin/effects?limit=1&cursor=${cursor}`);

  expect(effects.map(({ id }) => id)).toEqual(['req_2']);
  expect(second.body).toEqual({ effects: [EFFECT], next_cursor: null });
});

test.each([
  ['status=unknown', 1],
  ['status=confirmed', 0],
  ['run_id=run_1', 1],
  ['run_id=run_2', 0],
  ['tool=mail.send', 1],
  ['tool=time.now', 0],
])('filters by %s', async (query, count) => {
  const server = await openAdminServer();
  await leaveUnknown(server, 'run_1', 'req_1');

  const answer = await server.call(`/api/admin/effects?${query}`);

  expect(answer.status).toBe(200);
  expect((answer.body as { effects: unknown[] }).effects).toHaveLength(count);
});

test('settles an unknown effect once', async () => {
  const server = await openAdminServer();
  await leaveUnknown(server, 'run_1', 'req_1');
  server.clock.advance(1_000);

  const body = { status: 'confirmed', note: 'the mail is there' };
  const first = await server.post('/api/admin/effects/req_1/resolve', body);
  const second = await server.post('/api/admin/effects/req_1/resolve', { status: 'failed' });

  const at = '2026-02-15T00:00:01.000Z';
  expect([first.status, first.body]).toEqual([
    200,
    {
      ...EFFECT,
      status: 'confirmed',
      updated_at: at,
      resolution: { status: 'confirmed', by: 'operator', note: 'the mail is there', at },
    },
  ]);
  expect([second.status, second.body]).toEqual([
    409,
    {
      error: {
        code: 'conflict',
        message: 'effect req_1 is confirmed; only an unknown one can be resolved',
      },
    },
  ]);
});

test.each([
  ['GET', '/api/admin/effects/req_none'],
  ['POST', '/api/admin/effects/req_none/resolve'],
])('answers 404 to %s %s', async (method, path) => {
  const server = await openAdminServer();

  const body = method === 'POST' ? { body: { status: 'failed' } } : {};
  const answer = await server.call(path, { method, ...body });

  expect([answer.status, answer.body]).toEqual([
    404,
    { error: { code: 'effect.not_found', message: 'effect req_none does not exist' } },
  ]);
});

test.each<[body: unknown, message: string]>([
  [{}, 'status is required'],
  [{ status: 'unknown' }, 'status must be one of confirmed, failed'],
  [{ status: 'failed', note: 'x'.repeat(501) }, 'note must be at most 500 characters'],
  [{ status: 'failed', by: 'me' }, 'unknown field: by'],
])('refuses the resolution %j', async (body, message) => {
  const server = await openAdminServer();
  await leaveUnknown(server, 'run_1', 'req_1');

  const answer = await server.post('/api/admin/effects/req_1/resolve', body);

  expect([answer.status, answer.body]).toEqual([
    400,
    { error: { code: 'invalid.request', message } },
  ]);
});

test.each([
  ['cursor=abc', 'cursor is not one that a list answered with'],
  ['limit=0', 'limit must be at least 1'],
  ['status=lost', 'status must be one of intent, sent, confirmed, failed, unknown'],
  ['when=now', 'unknown query parameter: when'],
])('refuses the query %s', async (query, message) => {
  const server = await openAdminServer();

  const answer = await server.call(`/api/admin/effects?${query}`);

  expect([answer.status, answer.body]).toEqual([
    400,
    { error: { code: 'invalid.request', message } },
  ]);
});
