import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type SignatureClaims, signToken } from '../../../src/core/threads/signature.ts';
import { rawCall } from '../v1/http-client.ts';
import { SECRET } from './signed-client.ts';
import { createRun, openInternalServer } from './test-internal-server.ts';

function tokenOf(claims: Partial<SignatureClaims> & object = {}, secret = SECRET): string {
  const iat = Math.floor(Date.now() / 1000);
  return signToken({ iat, exp: iat + 60, nonce: crypto.randomUUID(), ...claims }, secret);
}

const signed = (token: string, more: Record<string, string> = {}) => ({
  nobody: true,
  headers: { 'x-oa-runtime-signature': token, ...more },
});

const now = () => Math.floor(Date.now() / 1000);

test.each<[name: string, token: () => string, message: string]>([
  ['no token', () => '', 'missing runtime signature'],
  ['something else', () => 'Bearer abc', 'invalid token encoding'],
  ['another secret', () => tokenOf({}, 'not-the-secret'), 'invalid token signature'],
  ['a nonce that is no text', () => tokenOf({ nonce: 5 as never }), 'invalid token claims'],
  ['an end in the past', () => tokenOf({ iat: now() - 60, exp: now() - 1 }), 'token expired'],
  [
    'a start in the future',
    () => tokenOf({ iat: now() + 40, exp: now() + 60 }),
    'token issued in the future',
  ],
  [
    'an end before its start',
    () => tokenOf({ iat: now() + 20, exp: now() + 10 }),
    'invalid token claims',
  ],
  [
    'more than an hour to live',
    () => tokenOf({ iat: now(), exp: now() + 3700 }),
    'token lifetime exceeds 3600 seconds',
  ],
])('refuses %s with 401', async (_name, token, message) => {
  const server = await openInternalServer();

  const answer = await server.get('/health', signed(token()));

  expect(answer.status).toBe(401);
  expect(answer.body).toEqual({ error: { code: 'unauthorized', message } });
  expect(answer.headers['x-request-id']).toMatch(/^req_/);
});

test('takes a token once', async () => {
  const server = await openInternalServer();
  const token = tokenOf();

  const first = await server.get('/health', signed(token));
  const second = await server.get('/health', signed(token));

  expect(first.status).toBe(200);
  expect(second.status).toBe(401);
  expect(second.body).toEqual({
    error: { code: 'unauthorized', message: 'token nonce already used' },
  });
});

test('refuses a token that ends while its body is on its way', async () => {
  const timing = { looks: 0, aheadMs: 0 };
  const clock = {
    nowMs() {
      timing.looks += 1;
      return Date.now() + timing.aheadMs;
    },
  };
  const server = await openInternalServer({ clock });
  const body = '{"thread_id":"thread_1"}';
  const socket = connect(server.port, '127.0.0.1');
  const answer = text(socket);
  socket.write(
    [
      'POST /internal/v1/runs HTTP/1.1',
      'host: localhost',
      `x-oa-runtime-signature: ${tokenOf({ thread_id: 'thread_1', user_id: 42 })}`,
      'x-oa-user-id: 42',
      'content-type: application/json',
      `content-length: ${body.length}`,
      'connection: close',
      '',
      '',
    ].join('\r\n'),
  );
  await expect.poll(() => timing.looks, { timeout: 5000 }).toBe(1);

  timing.aheadMs = 61_000;
  socket.write(body);

  const [head, sent] = (await answer).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 401 /);
  expect(JSON.parse(sent ?? '')).toEqual({
    error: { code: 'unauthorized', message: 'token expired' },
  });
});

test('what the route itself refuses has used the token up', async () => {
  const server = await openInternalServer();
  const call = signed(tokenOf(FACTS), USER_42);
  const path = '/runs/run_1/snapshot?thread_id=thread_1';

  const unknown = await server.get(path, call);
  const again = await server.get(path, call);

  expect([unknown.status, again.status]).toEqual([404, 401]);
});

test('takes one of many equal tokens sent at once', async () => {
  const server = await openInternalServer();
  const token = tokenOf();

  const answers = await Promise.all(
    Array.from({ length: 16 }, () => server.get('/health', signed(token))),
  );

  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(15).fill(401)]);
});

const FACTS = { run_id: 'run_1', thread_id: 'thread_1', user_id: 42 };
const USER_42 = { 'x-oa-user-id': '42' };

test.each<[name: string, claims: object, headers: Record<string, string>, fact: string]>([
  ['the run in the path', { ...FACTS, run_id: 'run_2' }, USER_42, 'run_id'],
  ['no claim for the run', { ...FACTS, run_id: undefined }, USER_42, 'run_id'],
  ['the thread in the query', { ...FACTS, thread_id: 'other' }, USER_42, 'thread_id'],
  ['the user in the header', FACTS, { 'x-oa-user-id': '43' }, 'user_id'],
  ['no claim for the user', { ...FACTS, user_id: undefined }, USER_42, 'user_id'],
  ['the guest in the header', FACTS, { ...USER_42, 'x-oa-guest-scope': 'g1' }, 'guest_scope'],
])('refuses a token whose claims differ: %s', async (_name, claims, headers, fact) => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  const path = '/runs/run_1/snapshot?thread_id=thread_1';

  const answer = await server.get(path, signed(tokenOf(claims), headers));

  expect(answer.status).toBe(403);
  expect(answer.body).toEqual({
    error: { code: 'forbidden', message: `claim mismatch for ${fact}` },
  });
});

test.each<[fact: string, body: object]>([
  ['run_id', { thread_id: 'thread_1', run_id: 'run_2' }],
  ['thread_id', { thread_id: 'other' }],
  ['thread_id', { thread_id: 7 }],
  ['user_id', { thread_id: 'thread_1', user_id: 43 }],
  ['user_id', { thread_id: 'thread_1', user_id: true }],
  ['guest_scope', { thread_id: 'thread_1', guest_scope: 'g1' }],
])('refuses a body whose %s is not claimed, and the token stays good', async (fact, body) => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  const headers = signed(tokenOf(FACTS), USER_42);

  const refused = await server.post('/runs/run_1/cancel', body, headers);
  const taken = await server.post('/runs/run_1/cancel', { thread_id: 'thread_1' }, headers);

  expect(refused.status).toBe(403);
  expect(refused.body).toEqual({
    error: { code: 'forbidden', message: `claim mismatch for ${fact}` },
  });
  expect(taken.status).toBe(202);
});

test('takes a body that says what is claimed, also as text or null', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  const body = { ...FACTS, user_id: '42', guest_scope: null };

  const answer = await server.post('/runs/run_1/cancel', body, signed(tokenOf(FACTS), USER_42));

  expect(answer.status).toBe(202);
});

test('a user id in the body grants nothing', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  const body = { thread_id: 'thread_1', user_id: 42 };

  const stranger = await server.post(
    '/runs/run_1/cancel',
    body,
    signed(tokenOf({ ...FACTS, user_id: 7 }), { 'x-oa-user-id': '7' }),
  );
  const nobody = await server.post('/runs/run_1/cancel', body, signed(tokenOf(FACTS)));

  expect(stranger.status).toBe(403);
  expect(stranger.body).toEqual({
    error: { code: 'forbidden', message: 'claim mismatch for user_id' },
  });
  expect(nobody.status).toBe(401);
  expect(nobody.body).toEqual({
    error: { code: 'unauthorized', message: 'missing or invalid principal headers' },
  });
});

test('ignores claims that the request says nothing about', async () => {
  const server = await openInternalServer();

  const answer = await server.get('/health', signed(tokenOf({ ...FACTS, guest_scope: 'g' })));

  expect(answer.status).toBe(200);
});

const ROTATION = new Map([
  ['k1', 'first-secret'],
  ['k2', 'second-secret'],
]);

test.each<[keyId: string | undefined, secret: string, status: number]>([
  ['k1', 'first-secret', 200],
  ['k2', 'second-secret', 200],
  ['k1', 'second-secret', 401],
  ['k1', SECRET, 401],
  ['k3', 'first-secret', 401],
  ['K1', 'first-secret', 401],
  // Clients of the contract always name a key, and did so before there were any.
  ['runtime-v1', SECRET, 200],
  ['runtime-v1', 'third-secret', 401],
  [undefined, SECRET, 200],
  [undefined, 'first-secret', 200],
  [undefined, 'third-secret', 401],
])('with rotation, key id %s and secret %s get %i', async (keyId, secret, status) => {
  const server = await openInternalServer({ secrets: { byKeyId: ROTATION } });
  const named: Record<string, string> = keyId === undefined ? {} : { 'x-oa-runtime-key-id': keyId };

  const answer = await server.get('/health', signed(tokenOf({}, secret), named));

  expect(answer.status).toBe(status);
});

test('ignores the key id while there is one secret only', async () => {
  const server = await openInternalServer();

  const answer = await server.get(
    '/health',
    signed(tokenOf(), { 'x-oa-runtime-key-id': 'runtime-v1' }),
  );

  expect(answer.status).toBe(200);
});

test('takes nothing when there is no secret', async () => {
  const server = await openInternalServer({ secrets: { single: undefined } });

  const answer = await server.get('/health', signed(tokenOf({}, 'undefined')));

  expect(answer.status).toBe(401);
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('holds the body against its digest before it reads it', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  const text = '{"thread_id": "thread_1"}';
  const digest = (of: string) => ({ ...USER_42, 'x-oa-runtime-body-sha256': sha256(of) });
  const path = '/runs/run_1/cancel';

  const other = await server.post(path, `${text} `, signed(tokenOf(FACTS), digest(text)));
  const broken = await server.post(path, '{', signed(tokenOf(FACTS), digest(text)));
  const none = await server.call(path, {
    method: 'POST',
    ...signed(tokenOf(FACTS), digest(text)),
  });
  const right = await server.post(path, text, signed(tokenOf(FACTS), digest(text)));

  const mismatch = {
    error: { code: 'unauthorized', message: 'body does not match x-oa-runtime-body-sha256' },
  };
  expect([other.status, other.body]).toEqual([401, mismatch]);
  expect([broken.status, broken.body]).toEqual([401, mismatch]);
  expect([none.status, none.body]).toEqual([401, mismatch]);
  expect(right.status).toBe(202);
});

test('takes the digest of nothing for a request without a body', async () => {
  const server = await openInternalServer();

  const answer = await server.get(
    '/health',
    signed(tokenOf(), { 'x-oa-runtime-body-sha256': sha256('').toUpperCase() }),
  );

  expect(answer.status).toBe(200);
});

test('limits failed authentications by address and still takes a good token', async () => {
  const server = await openInternalServer({ maxFailures: 2 });
  const bad = () => server.get('/health', signed('v1.x'));

  const answers = [await bad(), await bad(), await bad()];
  const good = await server.get('/health');

  expect(answers.map(({ status }) => status)).toEqual([401, 401, 429]);
  expect(answers[2]?.body).toEqual({
    error: { code: 'rate_limited', message: 'too many failed authentications' },
  });
  expect(answers[2]?.headers['retry-after']).toMatch(/^\d+$/);
  expect(good.status).toBe(200);
});

test('counts the requests of every user apart', async () => {
  const server = await openInternalServer({ http: { rateLimitMax: 2 } });

  const first = [1, 1, 1].map((userId) => () => server.get('/health', { userId }));
  const statuses = [];
  for (const call of first) statuses.push((await call()).status);
  const other = await server.get('/health', { userId: 2 });

  expect(statuses).toEqual([200, 200, 429]);
  expect(other.status).toBe(200);
});

test('a request that is refused for its rate leaves its token good', async () => {
  const server = await openInternalServer({ http: { rateLimitMax: 1, rateLimitWindowMs: 300 } });
  const token = tokenOf();
  await server.get('/health', { nobody: true });

  const limited = await server.get('/health', signed(token));

  expect(limited.status).toBe(429);
  await expect
    .poll(async () => (await server.get('/health', signed(token))).status, { timeout: 5000 })
    .toBe(200);
});

test('knows a user by the largest id that a number holds exactly, and by none beyond it', async () => {
  const server = await openInternalServer();
  const largest = Number.MAX_SAFE_INTEGER;
  const create = (userId: string) =>
    server.post(
      '/runs',
      { thread_id: 't' },
      signed(tokenOf({ thread_id: 't', user_id: largest }), { 'x-oa-user-id': userId }),
    );

  const exact = await create('9007199254740991');
  const beyond = await create('9007199254740993');

  expect(exact.status).toBe(201);
  expect(beyond.status).toBe(401);
});

test('takes the first of two signatures, and no principal that is named twice', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  const head = (lines: readonly string[]) =>
    ['GET /internal/v1/runs/run_1/snapshot?thread_id=thread_1 HTTP/1.1', 'host: localhost']
      .concat(lines, 'connection: close', '', '')
      .join('\r\n');
  const signature = () => `x-oa-runtime-signature: ${tokenOf(FACTS)}`;

  const twoTokens = await rawCall(
    server.port,
    head([signature(), 'x-oa-runtime-signature: v1.x', 'x-oa-user-id: 42']),
  );
  const twoUsers = await rawCall(
    server.port,
    head([signature(), 'x-oa-user-id: 42', 'x-oa-user-id: 42']),
  );

  expect(twoTokens).toMatch(/^HTTP\/1\.1 200 /);
  expect(twoUsers).toMatch(/^HTTP\/1\.1 401 /);
  expect(twoUsers).toContain('missing or invalid principal headers');
});
