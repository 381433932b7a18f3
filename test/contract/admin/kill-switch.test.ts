import { expect, test } from 'vitest';
import { type AdminServer, openAdminServer, START } from './test-admin-server.ts';

const PATH = '/api/admin/kill-switch';
const put = (server: AdminServer, body: object) => server.call(PATH, { method: 'PUT', body });
const LATER = '2026-02-15T00:01:00.000Z';
const ON = { on: true, reason: 'mail to everybody', by: 'operator', changed_at: START };
const OFF = { on: false, reason: '', by: 'operator', changed_at: LATER };

test('is off until somebody turns it, and tells who did', async () => {
  const server = await openAdminServer();

  const untouched = await server.call(PATH);
  const stopped = await put(server, { on: true, reason: 'mail to everybody' });
  const again = await put(server, { on: true, reason: 'mail to everybody' });
  const status = await server.call('/api/admin/status');
  server.clock.advance(60_000);
  const lifted = await server.call(PATH, { method: 'DELETE' });

  expect([untouched.status, untouched.body]).toEqual([
    200,
    { on: false, reason: '', by: null, changed_at: null, history: [] },
  ]);
  expect([stopped.status, stopped.body]).toEqual([200, { ...ON, history: [ON] }]);
  expect(again.body).toEqual(stopped.body);
  expect(status.body).toMatchObject({ kill_switch: ON });
  expect([lifted.status, lifted.body]).toEqual([200, { ...OFF, history: [OFF, ON] }]);
});

test.each([
  [{}, 'on is required'],
  [{ on: 'yes' }, 'on must be true or false'],
  [{ on: true, why: 'x' }, 'unknown field: why'],
  [{ on: true, reason: 'x'.repeat(501) }, 'reason must be at most 500 characters'],
  [{ on: true, reason: 'a\0b' }, 'reason must not contain NUL characters'],
])('refuses the body %j', async (body, message) => {
  const server = await openAdminServer();

  const answer = await put(server, body);

  expect([answer.status, answer.body]).toEqual([
    400,
    { error: { code: 'invalid.request', message } },
  ]);
  expect((await server.call(PATH)).body).toMatchObject({ on: false });
});
