import { expect, test } from 'vitest';
import { RuntimeError } from '../../../src/core/errors.ts';
import { TOKEN } from './http-client.ts';
import { openTestServer } from './test-server.ts';

test('says that it is healthy to anybody', async () => {
  const server = await openTestServer();

  const get = await server.call('/healthz', { anonymous: true });
  const head = await server.call('/healthz', { anonymous: true, method: 'HEAD' });

  expect([get.status, get.text]).toEqual([200, '{"ok":true}']);
  expect([head.status, head.text]).toEqual([200, '']);
});

test('shows the way in to anybody, sends browsers to the dashboard, and tells nothing that is secret', async () => {
  const server = await openTestServer();

  const json = await server.call('/', { anonymous: true });
  const page = await server.call('/', {
    anonymous: true,
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
  });
  const posted = await server.call('/', { method: 'POST' });
  const unknown = await server.call('/nothing');

  expect([json.status, json.body]).toEqual([
    200,
    {
      service: 'pincer',
      dashboard: '/dashboard/',
      docs: '/docs',
      openapi: '/openapi.json',
      health: '/healthz',
      api: '/v1',
      sign_in: expect.stringContaining('Authorization: Bearer TOKEN'),
    },
  ]);
  expect([page.status, page.headers.location, page.text]).toEqual([302, '/dashboard/', '']);
  expect([json.headers.vary, page.headers.vary]).toEqual(['accept', 'accept']);
  expect(json.text).not.toContain(TOKEN);
  expect([posted.status, unknown.status]).toEqual([405, 404]);
});

test('says in the envelope that its storage can not serve', async () => {
  const server = await openTestServer({
    ping: async () => {
      throw new RuntimeError('storage_unavailable', 'storage refused the operation (ENOSPC)');
    },
  });

  const answer = await server.call('/healthz', { anonymous: true });

  expect(answer.status).toBe(503);
  expect(answer.headers['retry-after']).toBe('5');
  expect(answer.body).toEqual({
    error: { code: 'service.unavailable', message: 'storage refused the operation (ENOSPC)' },
  });
});

test('shows metrics to the holder of the token', async () => {
  const server = await openTestServer();

  const refused = await server.call('/metrics', { anonymous: true });
  const answer = await server.call('/metrics');

  expect(refused.status).toBe(401);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(answer.text).toBe('# HELP up Is it up?\n# TYPE up gauge\nup 1\n');
});

test('shows metrics to anybody when the configuration says so', async () => {
  const server = await openTestServer({ metricsPublic: true });

  const answer = await server.call('/metrics', { anonymous: true });

  expect(answer.status).toBe(200);
});

test('opens the docs page with the token as a password', async () => {
  const server = await openTestServer();
  const basic = Buffer.from(`me:${TOKEN}`).toString('base64');

  const refused = await server.call('/docs', { anonymous: true });
  const answer = await server.call('/docs', { headers: { authorization: `Basic ${basic}` } });

  expect(refused.status).toBe(401);
  expect(refused.headers['www-authenticate']).toBe('Basic realm="pincer"');
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
  expect(answer.text).toContain('<code>/v1/runs/{run_id}/cancel</code>');
  expect(answer.text).not.toMatch(/<script|\son[a-z]+=|style=/);
});

test('opens the docs page with the bearer token too', async () => {
  const server = await openTestServer();

  const answer = await server.call('/docs');

  expect(answer.status).toBe(200);
});

test('takes no password on /v1', async () => {
  const server = await openTestServer();
  const basic = Buffer.from(`me:${TOKEN}`).toString('base64');

  const answer = await server.call('/v1/runs', { headers: { authorization: `Basic ${basic}` } });

  expect(answer.status).toBe(401);
  expect(answer.body).toEqual({
    error: { code: 'auth.unauthorized', message: 'invalid authorization scheme' },
  });
});
