import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { RuntimeError } from '../../../src/core/errors.ts';
import { openForAll } from '../../support/at-end.ts';
import { rawCall, TOKEN } from './http-client.ts';
import { openTestServer, submit } from './test-server.ts';

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

const undisturbed = openForAll(openTestServer);

test.each<[name: string, path: string, options: object, status: number]>([
  ['an answer', '/v1/runs', {}, 200],
  ['a public answer', '/healthz', { anonymous: true }, 200],
  ['a refusal of the token', '/v1/runs', { anonymous: true }, 401],
  ['a refusal of the host', '/v1/runs', { headers: { host: 'evil.example' } }, 403],
  ['an unknown route', '/v1/nothing', {}, 404],
  ['an unknown path at the root', '/nothing', {}, 404],
  ['a path that can not be decoded', '/v1/%zz', {}, 400],
  ['a wrong method', '/v1/runs', { method: 'DELETE' }, 405],
  ['malformed JSON', '/v1/runs', { method: 'POST', body: '{' }, 400],
  ['a large body', '/v1/runs', { method: 'POST', body: 'x'.repeat(1_100_000) }, 413],
])('sends the request id and security headers with %s', async (_name, path, options, status) => {
  const server = undisturbed();

  const answer = await server.call(path, options);

  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject(SECURITY_HEADERS);
  expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
});

test.each([
  ['abc-1.2_X', true],
  ['x'.repeat(128), true],
  ['x'.repeat(129), false],
  ['two words', false],
  ['', false],
  ['<b>', false],
])('keeps the request id %j: %s', async (id, isKept) => {
  const server = undisturbed();

  const answer = await server.call('/healthz', { headers: { 'x-request-id': id } });

  expect(answer.headers['x-request-id'] === id).toBe(isKept);
  expect(answer.headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
});

test.each([
  ['/v1/nothing', 'route GET /v1/nothing does not exist'],
  ['/v1', 'route GET /v1 does not exist'],
  ['/v1/', 'route GET /v1/ does not exist'],
  ['/nothing?token=secret', 'route GET /nothing does not exist'],
  ['/V1/runs', 'route GET /V1/runs does not exist'],
])('answers 404 for %s', async (path, message) => {
  const server = undisturbed();

  const answer = await server.call(path);

  expect(answer.status).toBe(404);
  expect(answer.body).toEqual({ error: { code: 'route.not_found', message } });
});

test('answers an unknown route with 404 whatever its body is', async () => {
  const server = undisturbed();

  const answer = await server.post('/v1/nothing', '{', { headers: { 'content-type': 'text/x' } });

  expect(answer.status).toBe(404);
});

test.each([
  ['DELETE', '/v1/runs', 'GET, HEAD, POST'],
  ['PUT', '/v1/runs/run_1', 'GET, HEAD'],
  ['GET', '/v1/runs/run_1/cancel', 'POST'],
  ['POST', '/v1/runs/run_1/events', 'GET, HEAD'],
  ['POST', '/healthz', 'GET, HEAD'],
  ['OPTIONS', '/v1/runs', 'GET, HEAD, POST'],
  ['PROPFIND', '/v1/runs', 'GET, HEAD, POST'],
  ['TRACE', '/healthz', 'GET, HEAD'],
])('answers %s %s with 405 and what is allowed', async (method, path, allow) => {
  const server = undisturbed();

  const answer = await server.call(path, { method });

  expect(answer.status).toBe(405);
  expect(answer.headers['allow']).toBe(allow);
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  expect(answer.body).toEqual({
    error: { code: 'method.not_allowed', message: `method ${method} is not allowed for ${path}` },
  });
});

test.each<[name: string, bytes: string | Buffer, status: string, message: string]>([
  ['garbage', 'hello\r\n\r\n', '400 Bad Request', 'request is not valid HTTP'],
  [
    'binary garbage',
    Buffer.from([0, 1, 2, 255, 13, 10]),
    '400 Bad Request',
    'request is not valid HTTP',
  ],
  [
    'a NUL in the path',
    'GET /v1/\0 HTTP/1.1\r\nhost: localhost\r\n\r\n',
    '400 Bad Request',
    'request is not valid HTTP',
  ],
  [
    'two lengths',
    'POST /v1/runs HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
    '400 Bad Request',
    'request is not valid HTTP',
  ],
  [
    'headers without end',
    `GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
    '431 Request Header Fields Too Large',
    'request headers are too large',
  ],
])('answers %s in the envelope and goes on', async (_name, bytes, status, message) => {
  const server = undisturbed();

  const [head, body] = (await rawCall(server.port, bytes)).split('\r\n\r\n');

  expect(head?.split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`);
  expect(head).toMatch(/\r\nx-request-id: req_[0-9a-z]{26}\r\n/);
  expect(JSON.parse(body ?? '')).toEqual({ error: { code: 'invalid.request', message } });
  expect((await server.call('/healthz')).status).toBe(200);
});

test('answers a request without Host in the envelope', async () => {
  const server = undisturbed();

  const text = await rawCall(server.port, 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n');

  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(text).toContain(
    '{"error":{"code":"invalid.request","message":"host header is required"}}',
  );
});

test('answers CONNECT with 405 in the envelope', async () => {
  const server = undisturbed();

  const text = await rawCall(server.port, 'CONNECT evil.example:443 HTTP/1.1\r\nhost: x\r\n\r\n');

  expect(text).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
  expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toEqual({
    error: { code: 'method.not_allowed', message: 'method CONNECT is not allowed' },
  });
});

test('knows a surface by its decoded prefix', async () => {
  const server = await openTestServer();

  const answer = await server.call('/%76%31/runs');

  expect(answer.status).toBe(200);
  await expect
    .poll(() => server.logs.map(({ fields }) => fields['surface']), { timeout: 5000 })
    .toEqual(['v1']);
});

test('gives up on a caller that does not finish its request', async () => {
  const server = await openTestServer({ config: { requestTimeoutMs: 100 } });

  const [head, body] = (await rawCall(server.port, 'GET /healthz HTTP/1.1\r\nx-slow: ')).split(
    '\r\n\r\n',
  );

  expect(head?.split('\r\n')[0]).toBe('HTTP/1.1 408 Request Timeout');
  expect(JSON.parse(body ?? '')).toEqual({
    error: { code: 'invalid.request', message: 'request was not received in time' },
  });
});

test('cuts off a caller that does not take its answer', async () => {
  const server = await openTestServer({ config: { answerTimeoutMs: 100 } });
  const message = 'x'.repeat(250_000);
  for (let count = 0; count < 30; count += 1) await submit(server, `run_${count}`, message);
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  const head = `host: localhost\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`;

  // More than the buffers of the operating system hold.
  for (let count = 0; count < 4; count += 1) socket.write(`GET /v1/runs HTTP/1.1\r\n${head}`);

  await expect
    .poll(() => server.logs.map((line) => line.fields['status']), { timeout: 10_000 })
    .toContain(499);
  socket.destroy();
});

test('ignores an expectation that it does not know', async () => {
  const server = await openTestServer();

  const text = await rawCall(
    server.port,
    'GET /healthz HTTP/1.1\r\nhost: localhost\r\nexpect: magic\r\nconnection: close\r\n\r\n',
  );

  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test('survives a caller that leaves in the middle of its body', async () => {
  const server = await openTestServer();
  const socket = connect(server.port, '127.0.0.1');
  const head = `POST /v1/runs HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TOKEN}\r\n`;
  await new Promise<void>((resolve) => {
    socket.write(`${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"a`, () =>
      resolve(),
    );
  });

  socket.destroy();

  await expect
    .poll(() => server.logs.map((line) => line.fields['status']), { timeout: 5000 })
    .toEqual([499]);
  expect((await server.call('/healthz')).status).toBe(200);
  expect((await server.runs.list({ limit: 1 })).runs).toEqual([]);
});

test('logs every request with its id and without query, body or token', async () => {
  const server = await openTestServer();

  await server.post(
    '/v1/runs?key=hush',
    { message: 'private' },
    { headers: { 'x-request-id': 'r1' } },
  );

  await expect.poll(() => server.logs.length, { timeout: 5000 }).toBe(1);
  expect(server.logs[0]).toEqual({
    level: 'info',
    message: 'request',
    fields: {
      request_id: 'r1',
      surface: 'v1',
      method: 'POST',
      path: '/v1/runs',
      status: 400,
      duration_ms: expect.any(Number),
    },
  });
});

test('measures requests by route pattern and status', async () => {
  const seen: unknown[] = [];
  const server = await openTestServer({
    metrics: { httpRequest: (request) => seen.push(request), openStreams: () => {} },
  });

  await server.call('/v1/runs/run_1');
  await server.call('/v1/x/y');

  const durationMs = expect.any(Number);
  await expect
    .poll(() => seen, { timeout: 5000 })
    .toEqual([
      { surface: 'v1', method: 'GET', route: '/v1/runs/:run_id', status: 404, durationMs },
      { surface: 'v1', method: 'GET', route: 'unmatched', status: 404, durationMs },
    ]);
});

test('says clearly that its address is taken', async () => {
  const server = await openTestServer();

  const second = openTestServer({ config: { port: server.port } });

  await expect(second).rejects.toEqual(
    new RuntimeError(
      'config_invalid',
      `127.0.0.1:${server.port} is already in use; choose another port with --port (0 picks a free one)`,
    ),
  );
});
