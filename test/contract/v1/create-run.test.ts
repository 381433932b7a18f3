import { expect, test } from 'vitest';
import type { RunId } from '../../../src/core/ids.ts';
import { openTestServer, type TestServer } from './test-server.ts';

const RUN = { agent_id: 'agent_default', message: 'Summarize repository status' };

async function storedRuns(server: TestServer): Promise<number> {
  return (await server.runs.list({ limit: 200 })).runs.length;
}

test('stores a run and answers 202 with its id and the status queued', async () => {
  const server = await openTestServer();

  const answer = await server.post('/v1/runs', RUN);

  expect(answer.status).toBe(202);
  const [run] = (await server.runs.list({ limit: 10 })).runs;
  expect(answer.body).toEqual({ id: run?.id, status: 'queued' });
  expect(answer.headers['location']).toBe(`/v1/runs/${run?.id}`);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(run).toMatchObject({ agentId: 'agent_default', message: RUN.message, source: 'http' });
});

test('answers a repeated idempotency key with the first run and says so', async () => {
  const server = await openTestServer();
  const headers = { 'idempotency-key': 'key-1' };
  const first = await server.post('/v1/runs', RUN, { headers });

  const second = await server.post('/v1/runs', RUN, { headers });

  expect(second.status).toBe(202);
  expect(second.body).toEqual(first.body);
  expect(first.headers['idempotent-replay']).toBeUndefined();
  expect(second.headers['idempotent-replay']).toBe('true');
  expect(await storedRuns(server)).toBe(1);
});

test('refuses an idempotency key that was used for another body', async () => {
  const server = await openTestServer();
  const headers = { 'idempotency-key': 'key-1' };
  await server.post('/v1/runs', RUN, { headers });

  const answer = await server.post('/v1/runs', { ...RUN, message: 'other' }, { headers });

  expect(answer.status).toBe(409);
  expect(answer.body).toEqual({
    error: {
      code: 'conflict',
      message: 'idempotency key was used for another request',
      details: { key: 'key-1' },
    },
  });
  expect(await storedRuns(server)).toBe(1);
});

test.each([[''], ['two words'], ['k'.repeat(256)], ['käse']])(
  'refuses the idempotency key %j',
  async (key) => {
    const server = await openTestServer();

    const answer = await server.post('/v1/runs', RUN, {
      headers: { 'idempotency-key': key },
    });

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      error: {
        code: 'invalid.request',
        message: 'idempotency-key must be 1 to 255 visible ASCII characters',
      },
    });
    expect(await storedRuns(server)).toBe(0);
  },
);

test.each<[name: string, body: unknown, message: string]>([
  ['no fields', {}, 'agent_id is required'],
  ['no agent_id', { message: 'x' }, 'agent_id is required'],
  ['no message', { agent_id: 'agent_default' }, 'message is required'],
  ['an empty agent_id', { ...RUN, agent_id: '' }, 'agent_id must not be empty'],
  ['an empty message', { ...RUN, message: '' }, 'message must not be empty'],
  ['a blank message', { ...RUN, message: ' \n\t' }, 'message must not be empty'],
  ['a numeric agent_id', { ...RUN, agent_id: 7 }, 'agent_id must be a string'],
  ['a null message', { ...RUN, message: null }, 'message must be a string'],
  ['an object as message', { ...RUN, message: {} }, 'message must be a string'],
  ['an unknown field', { ...RUN, foo: 1 }, 'unknown field: foo'],
  [
    'an agent_id with a slash',
    { ...RUN, agent_id: '../x' },
    'agent_id must be 1 to 128 characters, without control characters, /, \\ or ..',
  ],
  [
    'an agent_id with NUL',
    { ...RUN, agent_id: 'a\0b' },
    'agent_id must be 1 to 128 characters, without control characters, /, \\ or ..',
  ],
  ['NUL in the message', { ...RUN, message: 'a\0b' }, 'message must not contain NUL characters'],
  [
    'half a surrogate pair',
    `{"agent_id":"a","message":"\\ud800"}`,
    'message must be well-formed Unicode',
  ],
  [
    'a message beyond the limit',
    { ...RUN, message: 'x'.repeat(262_145) },
    'message must be at most 262144 characters',
  ],
  ['an array', [RUN], 'request body must be a JSON object'],
  ['null', 'null', 'request body is required'],
  ['text', '"hello"', 'request body must be a JSON object'],
  ['an empty body', '', 'request body is required'],
  ['malformed JSON', '{"agent_id":', 'request body is not valid JSON'],
  [
    'a key that reaches a prototype',
    '{"__proto__":{"x":1}}',
    'request body must not have a field named __proto__ or constructor.prototype',
  ],
  [
    'a key that reaches a prototype by another way',
    '{"constructor":{"prototype":{}}}',
    'request body must not have a field named __proto__ or constructor.prototype',
  ],
  [
    'an unknown field with a long name',
    { ...RUN, [`k${'e'.repeat(500_000)}y`]: 1 },
    `unknown field: k${'e'.repeat(99)}`,
  ],
  [
    'deep nesting',
    `{"agent_id":"a","message":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    'message must be a string',
  ],
  ['a number that is too large', '{"agent_id":"a","message":1e999}', 'message must be a string'],
  ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'request body is not valid UTF-8'],
])('refuses %s and stores nothing', async (_name, body, message) => {
  const server = await openTestServer();

  const answer = await server.post('/v1/runs', body);

  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ error: { code: 'invalid.request', message } });
  expect(await storedRuns(server)).toBe(0);
  expect((await server.call('/healthz')).body).toEqual({ ok: true });
});

test('refuses a request without a body', async () => {
  const server = await openTestServer();

  const answer = await server.call('/v1/runs', { method: 'POST' });

  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    error: { code: 'invalid.request', message: 'request body is required' },
  });
});

test('refuses an unknown query parameter by name', async () => {
  const server = await openTestServer();

  const answer = await server.post('/v1/runs?wait=1', RUN);

  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    error: { code: 'invalid.request', message: 'unknown query parameter: wait' },
  });
});

test('answers 404 for an agent that does not exist', async () => {
  const server = await openTestServer();

  const answer = await server.post('/v1/runs', { ...RUN, agent_id: 'nobody' });

  expect(answer.status).toBe(404);
  expect(answer.body).toEqual({
    error: { code: 'agent.not_found', message: 'agent nobody does not exist' },
  });
  expect(await storedRuns(server)).toBe(0);
});

test.each([
  ['text/plain'],
  ['application/x-www-form-urlencoded'],
  ['multipart/form-data; boundary=x'],
  ['not a type'],
])('refuses the content type %s', async (contentType) => {
  const server = await openTestServer();

  const answer = await server.post('/v1/runs', RUN, {
    headers: { 'content-type': contentType },
  });

  expect(answer.status).toBe(415);
  expect(answer.body).toEqual({
    error: { code: 'invalid.request', message: 'content-type must be application/json' },
  });
  expect(await storedRuns(server)).toBe(0);
});

test.each([['application/json; charset=utf-16'], ['application/json;charset="ISO-8859-1"']])(
  'refuses the charset of %s',
  async (contentType) => {
    const server = await openTestServer();

    const answer = await server.post('/v1/runs', RUN, { headers: { 'content-type': contentType } });

    expect(answer.status).toBe(415);
    expect(answer.body).toEqual({
      error: { code: 'invalid.request', message: 'charset must be utf-8' },
    });
  },
);

test.each([['application/json; charset=utf-8'], ['application/json;charset="UTF8"']])(
  'takes %s',
  async (contentType) => {
    const server = await openTestServer();

    const answer = await server.post('/v1/runs', RUN, { headers: { 'content-type': contentType } });

    expect(answer.status).toBe(202);
  },
);

test('refuses a compressed body', async () => {
  const server = await openTestServer();

  const answer = await server.post('/v1/runs', RUN, {
    headers: { 'content-encoding': 'gzip' },
  });

  expect(answer.status).toBe(415);
  expect(answer.body).toEqual({
    error: { code: 'invalid.request', message: 'content-encoding must be identity' },
  });
});

test.each([
  ['with its length announced', {}],
  ['sent in chunks', { 'content-length': undefined, 'transfer-encoding': 'chunked' }],
])('refuses a body of 2 MB %s and the caller can read why', async (_name, headers) => {
  const server = await openTestServer();
  const body = JSON.stringify({ ...RUN, message: 'x'.repeat(2_000_000) });

  const answer = await server.post('/v1/runs', body, { headers });

  expect(answer.status).toBe(413);
  expect(answer.body).toEqual({
    error: { code: 'payload.too_large', message: 'request body is too large' },
  });
  expect(await storedRuns(server)).toBe(0);
  expect((await server.post('/v1/runs', RUN)).status).toBe(202);
});

test('answers 429 queue.full with Retry-After when too many runs wait', async () => {
  const server = await openTestServer({ maxQueued: 1 });
  await server.post('/v1/runs', RUN);

  const answer = await server.post('/v1/runs', RUN);

  expect(answer.status).toBe(429);
  expect(answer.headers['retry-after']).toBe('2');
  expect(answer.body).toEqual({
    error: {
      code: 'queue.full',
      message: 'run queue is full (1 waiting)',
      details: { retry_after_seconds: 2 },
    },
  });
});

test('never tells what an internal fault was, but logs it with the request id', async () => {
  const server = await openTestServer({
    alter: (runs) => ({
      ...runs,
      submit: async () => {
        throw new Error('secret path /root/x');
      },
    }),
  });

  const answer = await server.post('/v1/runs', RUN, { headers: { 'x-request-id': 'req-7' } });

  expect(answer.status).toBe(500);
  expect(answer.body).toEqual({ error: { code: 'internal.error', message: 'internal error' } });
  const fault = server.logs.find((line) => line.level === 'error');
  expect(fault?.fields).toMatchObject({ request_id: 'req-7', path: '/v1/runs', status: 500 });
  expect(fault?.fields['err']).toHaveProperty('cause', new Error('secret path /root/x'));
});

test('keeps the model that a run asks for, and refuses what is none', async () => {
  const server = await openTestServer();

  const taken = await server.post('/v1/runs', { ...RUN, model: 'anthropic/some-model' });
  const refused = await server.post('/v1/runs', { ...RUN, model: 'some-model' });

  const { id } = taken.body as { id: RunId };
  const [created] = await server.storage.events.read(id, { after: 0, limit: 1 });
  expect([taken.status, created?.payload['model']]).toEqual([202, 'anthropic/some-model']);
  expect([refused.status, refused.body]).toEqual([
    400,
    { error: { code: 'invalid.request', message: 'model must be provider/name' } },
  ]);
});
