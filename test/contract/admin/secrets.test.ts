import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openAdminServer } from './test-admin-server.ts';

const VALUE = 'sk-planted-7c1f';

test('takes a secret in, lists its name, and never shows the value', async () => {
  const server = await openAdminServer();

  const stored = await server.post('/api/admin/secrets', { name: 'weather/key', value: VALUE });
  server.clock.advance(1_000);
  await server.post('/api/admin/secrets', { name: 'mail', value: VALUE });
  const listed = await server.call('/api/admin/secrets');

  expect([stored.status, stored.body]).toEqual([200, { ok: true, stored: 'weather/key' }]);
  expect([listed.status, listed.body]).toEqual([
    200,
    {
      keys: ['mail', 'weather/key'],
      secrets: [
        { name: 'mail', updated_at: '2026-02-15T00:00:01.000Z' },
        { name: 'weather/key', updated_at: '2026-02-15T00:00:00.000Z' },
      ],
    },
  ]);
  const file = await readFile(join(server.root, '.openclawssy/secrets.enc'), 'utf8');
  expect(`${stored.text}${listed.text}${file}`).not.toContain(VALUE);
});

test('answers an empty store with empty lists', async () => {
  const server = await openAdminServer();

  const listed = await server.call('/api/admin/secrets');

  expect([listed.status, listed.body]).toEqual([200, { keys: [], secrets: [] }]);
});

test.each(['weather/key', 'weather%2Fkey'])('removes a secret by the path %s', async (path) => {
  const server = await openAdminServer();
  await server.post('/api/admin/secrets', { name: 'weather/key', value: VALUE });

  const removed = await server.call(`/api/admin/secrets/${path}`, { method: 'DELETE' });
  const again = await server.call(`/api/admin/secrets/${path}`, { method: 'DELETE' });

  expect([removed.status, removed.body]).toEqual([200, { ok: true, removed: 'weather/key' }]);
  expect([again.status, again.body]).toEqual([
    404,
    { error: { code: 'secret.not_found', message: 'secret weather/key does not exist' } },
  ]);
});

test('has no way to read a value', async () => {
  const server = await openAdminServer();
  await server.post('/api/admin/secrets', { name: 'mail', value: VALUE });

  const answer = await server.call('/api/admin/secrets/mail');

  expect([answer.status, answer.headers.allow, answer.body]).toEqual([
    405,
    'DELETE',
    {
      error: {
        code: 'method.not_allowed',
        message: 'method GET is not allowed for /api/admin/secrets/mail',
      },
    },
  ]);
});

const NAME_RULE =
  'name must be parts of letters, digits, dots, dashes and underscores, joined by slashes';

test.each<[body: unknown, message: string]>([
  [{ value: VALUE }, 'name is required'],
  [{ name: 'mail' }, 'value is required'],
  [{ name: 'mail', value: '' }, 'value must not be empty'],
  [{ name: '', value: VALUE }, 'name must not be empty'],
  [{ name: '../x', value: VALUE }, NAME_RULE],
  [{ name: 'a//b', value: VALUE }, NAME_RULE],
  [{ name: 'a'.repeat(129), value: VALUE }, 'name must be at most 128 characters'],
  [{ name: 'mail', value: 'x'.repeat(65_537) }, 'value must be at most 65536 characters'],
  [{ name: 'mail', value: { secret: VALUE } }, 'value must be a string'],
  [{ name: 'mail', value: VALUE, note: VALUE }, 'unknown field: note'],
])('refuses a secret without a word of its value', async (body, message) => {
  const server = await openAdminServer();

  const answer = await server.post('/api/admin/secrets', body);

  expect([answer.status, answer.body]).toEqual([
    400,
    { error: { code: 'invalid.request', message } },
  ]);
  expect((await server.call('/api/admin/secrets')).body).toEqual({ keys: [], secrets: [] });
});

test.each(['..%2Fmaster.key', 'a/..%2F..', '%20'])('refuses to remove %s', async (path) => {
  const server = await openAdminServer();

  const answer = await server.call(`/api/admin/secrets/${path}`, { method: 'DELETE' });

  expect([answer.status, (answer.body as { error: { code: string } }).error.code]).toEqual([
    400,
    'invalid.request',
  ]);
});
