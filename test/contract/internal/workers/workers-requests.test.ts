import { expect, test } from 'vitest';
import {
  attach,
  IMPOSSIBLE,
  invalid,
  NO_PRINCIPAL,
  NOT_OWNED,
  openWorkerServer,
  outcomeOf,
  PROCESS,
  STOPPED,
  UNKNOWN,
  WORKERS,
} from './worker-server.ts';

const REQUEST = {
  request_id: 'req_001',
  method: 'thread/start',
  params: { prompt: 'Audit this PR' },
};
const ANSWER = {
  data: {
    worker_id: 'codexw_1',
    request_id: 'req_001',
    ok: true,
    response: {
      jsonrpc: '2.0',
      id: 'req_001',
      result: {
        status: 'accepted',
        method: 'thread/start',
        echo: { prompt: 'Audit this PR' },
        request_count: 1,
      },
    },
  },
};

test('answers a request, and the same again with the same answer', async () => {
  const server = await openWorkerServer();
  const path = await attach(server);

  const first = await server.post(`${path}/requests`, { request: REQUEST });
  const again = await server.post(`${path}/requests`, { request: REQUEST });
  const { request_id: id, ...rest } = REQUEST;
  const flat = await server.post(`${path}/requests`, { id, ...rest });

  expect([first.status, first.body]).toEqual([200, ANSWER]);
  expect([again.status, again.body]).toEqual([200, ANSWER]);
  expect([flat.status, flat.body]).toEqual([200, ANSWER]);
  const stream = await server.stream(`${path}/stream?cursor=1&tail_ms=1`);
  await stream.ended;
  expect(stream.frames().map(({ data }) => data)).toEqual([
    expect.objectContaining({
      seq: 2,
      eventType: 'worker.request.received',
      payload: { request_id: 'req_001', method: 'thread/start' },
    }),
    expect.objectContaining({
      seq: 3,
      eventType: 'worker.response',
      payload: { request_id: 'req_001', response: ANSWER.data.response },
    }),
  ]);
});

test('asks a worker once among ten equal requests at the same moment', async () => {
  const server = await openWorkerServer(PROCESS);
  const path = await attach(server, { adapter: 'process' });
  const request = { request_id: 'req_1', method: 'sleep', params: { ms: 50 } };

  const answers = await Promise.all(
    Array.from({ length: 10 }, () => server.post(`${path}/requests`, { request })),
  );

  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const { body } = await server.get(`${path}/snapshot`);
  expect(body).toMatchObject({ data: { latest_seq: 3 } });
});

test('names a request that has no id', async () => {
  const server = await openWorkerServer();
  const path = await attach(server);

  const { body } = await server.post(`${path}/requests`, { request: { method: 'ping' } });

  const id = expect.stringMatching(/^req_[0-9a-z]{26}$/);
  expect(body).toMatchObject({
    data: { request_id: id, ok: true, response: { id, result: { echo: null } } },
  });
});

test('refuses another request under the same id', async () => {
  const server = await openWorkerServer();
  const path = await attach(server);
  await server.post(`${path}/requests`, { request: REQUEST });

  const answers = [
    await server.post(`${path}/requests`, { request: { ...REQUEST, method: 'ping' } }),
    await server.post(`${path}/requests`, { request: { ...REQUEST, params: {} } }),
  ];

  const message = 'request_id payload mismatch for existing request';
  const conflict = [409, { code: 'conflict', message }];
  expect(answers.map(outcomeOf)).toEqual([conflict, conflict]);
});

test('passes an error of the worker on as 200', async () => {
  const server = await openWorkerServer(PROCESS);
  const path = await attach(server, { adapter: 'process' });

  const { status, body } = await server.post(`${path}/requests`, {
    request: { request_id: 'r', method: 'nothing' },
  });

  const error = { code: -32601, message: 'method nothing not found' };
  const response = { jsonrpc: '2.0', id: 'r', error };
  expect([status, body]).toEqual([
    200,
    { data: { worker_id: 'codexw_1', request_id: 'r', ok: false, response } },
  ]);
});

test('answers -32000 after the time is up, and keeps to it', async () => {
  const server = await openWorkerServer({ ...PROCESS, request_timeout_ms: 200 });
  const path = await attach(server, { adapter: 'process' });
  const request = { request_id: 'r', method: 'sleep', params: { ms: 400 } };

  const first = await server.post(`${path}/requests`, { request });
  const stream = await server.stream(`${path}/stream?cursor=3`);
  const [late] = await stream.awaitFrames(1);
  const again = await server.post(`${path}/requests`, { request });

  expect(first.body).toEqual({
    data: {
      worker_id: 'codexw_1',
      request_id: 'r',
      ok: false,
      response: {
        jsonrpc: '2.0',
        id: 'r',
        error: {
          code: -32000,
          message: 'the worker did not answer within 200 ms',
          data: { outcome: 'unknown' },
        },
      },
    },
  });
  expect(again.body).toEqual(first.body);
  expect(late?.data).toMatchObject({
    eventType: 'worker.response.late',
    payload: { request_id: 'r', response: { result: { slept_ms: 400 } } },
  });
});

test('answers -32001 when too many wait, and takes the same request later', async () => {
  const server = await openWorkerServer({ ...PROCESS, max_queued_requests: 1 });
  const path = await attach(server, { adapter: 'process' });
  const slow = { request_id: 'slow', method: 'sleep', params: { ms: 300 } };
  const quick = { request_id: 'quick', method: 'ping' };

  const waiting = server.post(`${path}/requests`, { request: slow });
  await expect
    .poll(async () => (await server.get(`${path}/snapshot`)).body, { timeout: 10_000 })
    .toMatchObject({ data: { latest_seq: 2 } });
  const full = await server.post(`${path}/requests`, { request: quick });
  await waiting;
  const later = await server.post(`${path}/requests`, { request: quick });

  expect([full.status, full.body]).toEqual([
    200,
    {
      data: {
        worker_id: 'codexw_1',
        request_id: 'quick',
        ok: false,
        response: {
          jsonrpc: '2.0',
          id: 'quick',
          error: { code: -32001, message: 'Server overloaded; retry later.' },
        },
      },
    },
  ]);
  expect(later.body).toMatchObject({ data: { ok: true } });
});

test('keeps no secrets, and carries the trace of the request', async () => {
  const server = await openWorkerServer();
  const path = await attach(server);
  const secret = 'sk-1234567890abcdefghijklmnop';
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  const { text } = await server.post(
    `${path}/requests`,
    { request: { method: 'login', params: { api_key: secret } } },
    { headers: { traceparent, 'x-request-id': 'from-laravel' } },
  );

  const stream = await server.stream(`${path}/stream?cursor=0&tail_ms=1`);
  await stream.ended;
  expect(text).not.toContain(secret);
  expect(stream.text()).not.toContain(secret);
  expect(stream.frames()[1]?.data).toMatchObject({
    payload: { trace: { traceparent, request_id: 'from-laravel' } },
  });
});

test('refuses a stopped worker, but tells what it answered before', async () => {
  const server = await openWorkerServer();
  const path = await attach(server);
  await server.post(`${path}/requests`, { request: REQUEST });
  await server.post(`${path}/stop`, {});

  const known = await server.post(`${path}/requests`, { request: REQUEST });
  const fresh = await server.post(`${path}/requests`, { request: { method: 'ping' } });

  expect([known.status, known.body]).toEqual([200, ANSWER]);
  expect(outcomeOf(fresh)).toEqual(STOPPED);
});

test('refuses in the order of the contract', async () => {
  const server = await openWorkerServer();
  const path = await attach(server);
  const ask = (body: unknown, options = {}, at = path) =>
    server.post(`${at}/requests`, body, options);

  const answers = [
    await ask({}, { nobody: true }),
    await ask({}, { userId: 7 }, `${WORKERS}/codexw_2`),
    await ask({}, {}, `${WORKERS}/a%20b`),
    await ask({}, { userId: 7 }),
    await ask({}),
    await ask({ request: { method: '  ' } }),
    await ask({ request: { method: 'x'.repeat(256) } }),
    await ask({ request: { method: 'ping', request_id: '' } }),
    await ask({ request: 'ping' }),
    await ask([]),
  ];

  expect(answers.map(outcomeOf)).toEqual([
    NO_PRINCIPAL,
    UNKNOWN,
    IMPOSSIBLE,
    NOT_OWNED,
    invalid('request.method is required'),
    invalid('request.method is required'),
    invalid('request.method must be at most 255 characters'),
    invalid('request.request_id must not be empty'),
    invalid('request.method is required'),
    invalid('request body must be a JSON object'),
  ]);
});
