import { expect, test } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import { rawCall, TOKEN } from './http-client.ts';
import { openTestServer } from './test-server.ts';

test.each<[name: string, authorization: string | undefined, message: string]>([
  ['no header', undefined, 'missing bearer token'],
  ['an empty header', '', 'missing bearer token'],
  ['no token', 'Bearer', 'missing bearer token'],
  ['another scheme', `Token ${TOKEN}`, 'invalid authorization scheme'],
  ['the bare token', TOKEN, 'invalid authorization scheme'],
  ['a wrong token', 'Bearer wrong', 'invalid bearer token'],
  ['a longer token', `Bearer ${TOKEN}x`, 'invalid bearer token'],
  ['a prefix of the token', `Bearer ${TOKEN.slice(0, -1)}`, 'invalid bearer token'],
])('refuses %s', async (_name, authorization, message) => {
  const server = await openTestServer();

  const answer = await server.call('/v1/runs', { headers: { authorization } });

  expect(answer.status).toBe(401);
  expect(answer.headers['www-authenticate']).toBe('Bearer realm="pincer"');
  expect(answer.body).toEqual({ error: { code: 'auth.unauthorized', message } });
});

test('takes the scheme in any case', async () => {
  const server = await openTestServer();

  const answer = await server.call('/v1/runs', { headers: { authorization: `bEaReR  ${TOKEN}` } });

  expect(answer.status).toBe(200);
});

test('asks for the token before it says which routes exist or reads a body', async () => {
  const server = await openTestServer();

  const unknown = await server.call('/v1/nothing', { anonymous: true });
  const malformed = await server.post('/v1/runs', '{', { anonymous: true });

  expect([unknown.status, malformed.status]).toEqual([401, 401]);
});

test('limits failed authentications by address, and the right token still passes', async () => {
  const server = await openTestServer({ clock: new ManualClock() });
  const statuses: number[] = [];
  for (let count = 0; count < 20; count += 1) {
    statuses.push((await server.call('/v1/runs', { anonymous: true })).status);
  }

  const limited = await server.call('/v1/runs', { anonymous: true });
  const allowed = await server.call('/v1/runs');

  expect(new Set(statuses)).toEqual(new Set([401]));
  expect(limited.status).toBe(429);
  expect(limited.headers['retry-after']).toBe('60');
  expect(limited.body).toEqual({
    error: {
      code: 'rate.limited',
      message: 'too many failed authentications',
      details: { retry_after_seconds: 60 },
    },
  });
  expect(allowed.status).toBe(200);
});

test('limits guesses of the token: a wrong one after 20 failures is not even called wrong', async () => {
  const clock = new ManualClock();
  const server = await openTestServer({ clock });
  const guess = async (count: number) => {
    const headers = { authorization: `Bearer guess-${count}` };
    return (await server.call('/v1/runs', { headers })).status;
  };
  for (let count = 0; count < 20; count += 1) await guess(count);

  const limited = await guess(20);
  const onAnotherRoute = await server.call('/docs', { headers: { authorization: 'Basic eDp5' } });
  clock.advance(60_000);
  const nextMinute = await guess(21);

  expect([limited, onAnotherRoute.status, nextMinute]).toEqual([429, 429, 401]);
});

test.each<[trustProxy: boolean, statuses: number[]]>([
  [false, [429, 429]],
  [true, [401, 429]],
])('knows an address behind a proxy when trust_proxy is %s', async (trustProxy, statuses) => {
  const server = await openTestServer({ clock: new ManualClock(), config: { trustProxy } });
  // What stands before the last hop, the caller may have written.
  const fail = async (from: string, count: number) => {
    const headers = { 'x-forwarded-for': `10.9.9.${count}, ${from}` };
    return (await server.call('/v1/runs', { anonymous: true, headers })).status;
  };
  for (let count = 0; count < 20; count += 1) await fail('192.0.2.1', count);

  const other = await fail('192.0.2.2', 20);
  const same = await fail('192.0.2.1', 21);

  expect([other, same]).toEqual(statuses);
});

test('limits requests per token and opens again with the next window', async () => {
  const clock = new ManualClock();
  const server = await openTestServer({
    clock,
    config: { rateLimitMax: 2, rateLimitWindowMs: 10_000 },
  });
  const first = await server.call('/v1/runs');
  await server.call('/v1/runs');
  clock.advance(4000);

  const limited = await server.call('/v1/runs');
  const health = await server.call('/healthz', { anonymous: true });
  clock.advance(6000);
  const next = await server.call('/v1/runs');

  expect(first.headers).toMatchObject({
    'ratelimit-limit': '2',
    'ratelimit-remaining': '1',
    'ratelimit-reset': '10',
  });
  expect(limited.status).toBe(429);
  expect(limited.headers).toMatchObject({ 'retry-after': '6', 'ratelimit-remaining': '0' });
  expect(limited.body).toEqual({
    error: {
      code: 'rate.limited',
      message: 'rate limit of 2 requests reached',
      details: { retry_after_seconds: 6 },
    },
  });
  expect([health.status, next.status]).toEqual([200, 200]);
});

test.each<[headers: Record<string, string>, status: number]>([
  [{ host: 'localhost:3000' }, 200],
  [{ host: '127.0.0.1' }, 200],
  [{ host: '[::1]:80' }, 200],
  [{ host: 'LOCALHOST.' }, 200],
  [{ host: 'agents.example' }, 200],
  [{ host: 'evil.example' }, 403],
  [{ host: 'localhost.evil.example' }, 403],
  [{ host: '127.0.0.1.evil.example' }, 403],
  [{ host: '192.168.0.7' }, 403],
  [{ host: 'localhost', origin: 'http://localhost' }, 200],
  [{ host: 'localhost:3000', origin: 'http://localhost:3000' }, 200],
  [{ host: 'localhost:3000', origin: 'https://pages.example' }, 200],
  [{ host: 'localhost:3000', origin: 'http://localhost:3001' }, 403],
  [{ host: 'localhost', origin: 'https://evil.example' }, 403],
  [{ host: 'localhost', origin: 'null' }, 403],
])('answers %j with %i', async (headers, status) => {
  const server = await openTestServer({
    config: { allowedHosts: ['agents.example'], allowedOrigins: ['https://pages.example'] },
  });

  const v1 = await server.call('/v1/runs', { headers });
  const health = await server.call('/healthz', { headers, anonymous: true });

  expect([v1.status, health.status]).toEqual([status, status]);
});

test('names the refused host and origin in the envelope', async () => {
  const server = await openTestServer();

  const host = await server.call('/v1/runs', { headers: { host: 'evil.example' } });
  const origin = await server.call('/v1/runs', { headers: { origin: 'https://evil.example' } });
  const garbled = await server.call('/v1/runs', { headers: { host: 'a b' } });

  expect(host.body).toEqual({
    error: { code: 'policy.denied', message: 'host evil.example is not allowed' },
  });
  expect(origin.body).toEqual({
    error: { code: 'policy.denied', message: 'origin https://evil.example is not allowed' },
  });
  expect(garbled.body).toEqual({
    error: { code: 'invalid.request', message: 'host header a b is not valid' },
  });
});

test('takes any address but no unknown name when it listens on all of them', async () => {
  const server = await openTestServer({ config: { host: '0.0.0.0' } });

  const address = await server.call('/healthz', { headers: { host: '192.168.0.7:3000' } });
  const name = await server.call('/healthz', { headers: { host: 'evil.example' } });

  expect([address.status, name.status]).toEqual([200, 403]);
});

const ONE_CLOSED = 'connection: close\r\n\r\n';

test.each<[name: string, head: string, message: string]>([
  [
    'two Host headers',
    'GET /healthz HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\n',
    'host header must be given once',
  ],
  [
    'a target on another host',
    'GET http://evil.example/healthz HTTP/1.1\r\nhost: localhost\r\n',
    'host header does not match the request target',
  ],
  [
    'a target with a password',
    'GET http://user:hush@localhost/healthz HTTP/1.1\r\nhost: localhost\r\n',
    'host header does not match the request target',
  ],
])('refuses %s', async (_name, head, message) => {
  const server = await openTestServer();

  const text = await rawCall(server.port, head + ONE_CLOSED);

  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toEqual({
    error: { code: 'invalid.request', message },
  });
});

test('takes a target with its own host in front, as proxies send it', async () => {
  const server = await openTestServer();
  const token = `authorization: Bearer ${TOKEN}\r\n`;

  const text = await rawCall(
    server.port,
    `DELETE http://localhost/v1/runs?key=hush HTTP/1.1\r\nhost: localhost\r\n${token}${ONE_CLOSED}`,
  );

  expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toEqual({
    error: { code: 'method.not_allowed', message: 'method DELETE is not allowed for /v1/runs' },
  });
  await expect
    .poll(() => server.logs.map(({ fields }) => [fields['surface'], fields['path']]), {
      timeout: 5000,
    })
    .toEqual([['v1', '/v1/runs']]);
});
