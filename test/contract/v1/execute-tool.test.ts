import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Event } from '../../../src/core/events/event.ts';
import type { RunId } from '../../../src/core/ids.ts';
import { silentLogger } from '../../../src/core/log.ts';
import { openServer, type Server } from '../../../src/server.ts';
import { openTempRoot, type TempRoot } from '../../support/temp-root.ts';
import { type Answer, createHttpClient, type HttpClient, TOKEN } from './http-client.ts';

const ID = '7b0f2f0e-5a51-4a39-9a5c-0c5a1d5d7a11';

interface Arrival {
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

let root: TempRoot;
let server: Server;
let client: HttpClient;
let service: ReturnType<typeof createServer>;
let url: string;
let arrivals: Arrival[];
let answers: number[];
let keys = 0;

beforeAll(async () => {
  service = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      arrivals.push({ body, headers: request.headers });
      response.writeHead(answers.shift() ?? 201).end(`order ${arrivals.length}`);
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/orders`;
  root = await openTempRoot();
  await writeConfig(root.path, {
    network: { enabled: true, allow_localhosts: true },
    policy: { rules: [{ tool: 'fs.delete', decision: 'ask' }] },
    tool_reliability: {
      mode: 'all',
      overrides: { 'http.request': { retry: { initial_delay_ms: 1, max_delay_ms: 2 } } },
    },
  });
  server = await openServer({
    root: root.path,
    logger: silentLogger,
    env: { API_BEARER_TOKEN: TOKEN, CLAW_PORT: '0', CLAW_MODEL: 'offline/rules' },
  });
  client = createHttpClient(Number(new URL(server.url).port));
});

beforeEach(() => {
  arrivals = [];
  answers = [];
});

afterAll(async () => {
  await server.close();
  await new Promise((resolve) => service.close(resolve));
  await root.remove();
});

async function writeConfig(path: string, config: object): Promise<void> {
  const folder = join(path, '.openclawssy');
  await mkdir(folder, { mode: 0o700 });
  await writeFile(join(folder, 'config.json'), JSON.stringify(config), { mode: 0o600 });
}

function execute(body: object): Promise<Answer> {
  return client.post('/v1/tools/execute', { executionId: ID, ...body });
}

function order(key: string | undefined, text: string, headers: object = {}): Promise<Answer> {
  const payload = { url, method: 'POST', body: text, headers };
  return execute({ toolId: 'http.request', payload, ...(key && { idempotencyKey: key }) });
}

function newKey(): string {
  keys += 1;
  return `order-${keys}`;
}

async function eventsOf(answer: Answer): Promise<Event[]> {
  const id = String(answer.headers['location']).replace('/v1/runs/', '') as RunId;
  await expect
    .poll(async () => (await server.runtime.runs.get(id)).endedAtMs, { timeout: 10_000 })
    .toBeDefined();
  return server.runtime.storage.events.read(id, { after: 0, limit: 100 });
}

test('calls one tool and answers with the envelope of contract 5', async () => {
  const answer = await execute({
    toolId: 'fs.write',
    payload: { path: 'a.txt', content: 'hey' },
    metadata: { agent: 'agent_default', callerId: 'ci', timestamp: '2026-02-15T00:00:00Z' },
  });

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    status: 'success',
    data: expect.objectContaining({ path: 'a.txt', bytes: 3 }),
    durationMs: expect.any(Number),
    fromCache: false,
  });
  const events = await eventsOf(answer);
  expect(events.map(({ type }) => type)).toEqual([
    'run.created',
    'run.started',
    'tool.call',
    'tool.result',
    'run.completed',
  ]);
  expect(events[2]?.payload).toMatchObject({
    tool: 'fs.write',
    tool_call_id: ID,
    input: { path: 'a.txt', content: 'hey' },
  });
});

test('a call that fails is an envelope too', async () => {
  const missing = await execute({ toolId: 'fs.read', payload: { path: 'nowhere.txt' } });
  const invalid = await execute({ toolId: 'fs.read', payload: { wrong: 1 } });
  const unknown = await execute({ toolId: 'no.such', payload: {} });
  const outside = await execute({ toolId: 'fs.read', payload: { path: '../secret' } });

  const codes = [missing, invalid, unknown, outside].map(({ status, body }) => {
    const envelope = body as { status: string; error: { code: string; retriable: boolean } };
    return [status, envelope.status, envelope.error.code, envelope.error.retriable];
  });
  expect(codes).toEqual([
    [200, 'error', 'tool.input_invalid', false],
    [200, 'error', 'tool.input_invalid', false],
    [200, 'error', 'tool.not_found', false],
    [200, 'error', 'policy.denied', false],
  ]);
  expect(unknown.body).toEqual({
    status: 'error',
    error: {
      code: 'tool.not_found',
      message: 'there is no tool named no.such',
      retriable: false,
      details: { available: expect.arrayContaining(['fs.read']) },
    },
    durationMs: expect.any(Number),
    fromCache: false,
  });
});

test('the same key with the same payload is one execution; another payload is a conflict', async () => {
  const key = newKey();

  const first = await order(key, 'tea');
  const second = await order(key, 'tea');
  const other = await order(key, 'coffee');

  expect(first.body).toMatchObject({ status: 'success', fromCache: false });
  expect(second.body).toEqual({
    status: 'success',
    data: (first.body as { data: unknown }).data,
    durationMs: expect.any(Number),
    fromCache: true,
  });
  expect(other.body).toEqual({
    status: 'error',
    error: {
      code: 'conflict',
      message: 'the idempotency key belongs to a call with another payload',
      retriable: false,
      details: { reason: 'payload_differs', effect: 'none' },
    },
    durationMs: expect.any(Number),
    fromCache: false,
  });
  expect(arrivals.map(({ body, headers }) => [body, headers['idempotency-key']])).toEqual([
    ['tea', key],
  ]);
  const result = (await eventsOf(second)).find(({ type }) => type === 'tool.result');
  expect(result?.payload).toMatchObject({ ok: true, from_cache: true });
});

test('calls with one key at the same time are one execution', async () => {
  const key = newKey();

  const all = await Promise.all([1, 2, 3, 4].map(() => order(key, 'tea')));

  expect(arrivals).toHaveLength(1);
  const cached = all.map(({ body }) => (body as { fromCache: boolean }).fromCache);
  expect(cached.filter((fromCache) => !fromCache)).toHaveLength(1);
});

test('an Idempotency-Key header among the arguments is the caller’s key, in any run', async () => {
  const key = newKey();
  const headers = { 'Idempotency-Key': key };

  const first = await order(undefined, 'tea', headers);
  const message = `/tool http.request ${JSON.stringify({ url, method: 'POST', body: 'tea', headers })}`;
  const asked = await client.post('/v1/runs', { agent_id: 'agent_default', message });
  const events = await eventsOf({ ...asked, headers: asked.headers });
  const other = await order(undefined, 'coffee', headers);

  expect(first.body).toMatchObject({ status: 'success', fromCache: false });
  expect(events.find(({ type }) => type === 'tool.result')?.payload).toMatchObject({
    from_cache: true,
  });
  expect(other.body).toMatchObject({ status: 'error', error: { code: 'conflict' } });
  expect(arrivals.map(({ body }) => body)).toEqual(['tea']);
});

test('two different keys for one call are refused', async () => {
  const answer = await order(newKey(), 'tea', { 'idempotency-key': newKey() });

  expect(answer.body).toMatchObject({
    status: 'error',
    error: {
      code: 'tool.input_invalid',
      message: 'the call has two different idempotency keys',
    },
  });
  expect(arrivals).toEqual([]);
});

test('a keyed POST that met 503 is retried with its key; one without a key is not', async () => {
  const [inEnvelope, inHeader] = [newKey(), newKey()];

  answers = [503, 201];
  const enveloped = await order(inEnvelope, 'tea');
  answers = [503, 201];
  const headed = await order(undefined, 'tea', { 'Idempotency-Key': inHeader });
  answers = [503];
  const bare = await order(undefined, 'tea');

  expect(enveloped.body).toMatchObject({ status: 'success', data: { status: 201 } });
  expect(headed.body).toMatchObject({ status: 'success', data: { status: 201 } });
  expect(bare.body).toMatchObject({ status: 'error', error: { code: 'tool_failed' } });
  expect(arrivals.map(({ headers }) => headers['idempotency-key'])).toEqual([
    inEnvelope,
    inEnvelope,
    inHeader,
    inHeader,
    undefined,
  ]);
});

test('after a flush the same key is executed again', async () => {
  const key = newKey();
  await order(key, 'tea');

  const flushed = await client.post('/api/admin/tools/http.request/idempotency/flush', { key });
  const again = await order(key, 'tea');

  expect(flushed.body).toMatchObject({ flushed: 1 });
  expect(again.body).toMatchObject({ status: 'success', fromCache: false });
  expect(arrivals).toHaveLength(2);
});

test('a key holds with the reliability layer off', async () => {
  const key = newKey();
  process.env['TOOL_RELIABILITY_ENABLED'] = 'false';
  try {
    await order(key, 'tea');

    const second = await order(key, 'tea');

    expect(second.body).toMatchObject({ status: 'success', fromCache: true });
    expect(arrivals).toHaveLength(1);
  } finally {
    delete process.env['TOOL_RELIABILITY_ENABLED'];
  }
});

test('a call that needs an approval is not made, and its run does not wait', async () => {
  const answer = await execute({ toolId: 'fs.delete', payload: { path: 'a.txt' } });

  expect(answer.body).toEqual({
    status: 'error',
    error: {
      code: 'policy.denied',
      message: expect.stringContaining('nobody can be asked here, so the call was not made'),
      retriable: false,
      details: { reason: 'approval_required' },
    },
    durationMs: 0,
    fromCache: false,
  });
  expect((await eventsOf(answer)).at(-1)?.type).toBe('run.cancelled');
});

test('the trace of the caller, or the one it names, is that of the call', async () => {
  const traceId = 'a'.repeat(32);
  const payload = { url, method: 'POST', body: 'x' };

  await execute({ toolId: 'http.request', payload, metadata: { traceId } });
  await execute({ toolId: 'http.request', payload });

  const [named, own] = arrivals.map(({ headers }) => String(headers['traceparent']));
  expect(named).toMatch(/^00-a{32}-[0-9a-f]{16}-[0-9a-f]{2}$/);
  expect(own).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
});

test.each([
  [{ toolId: 'fs.read', payload: {}, executionId: 'x' }, 'executionId'],
  [{ payload: {} }, 'toolId'],
  [{ toolId: 'fs.read' }, 'payload'],
  [{ toolId: 'fs read', payload: {} }, 'toolId'],
  [{ toolId: 'fs.read', payload: {}, idempotencyKey: '' }, 'idempotencyKey'],
  [{ toolId: 'fs.read', payload: {}, idempotency_key: 'x' }, 'idempotency_key'],
])('%j is refused in the words of /v1', async (body, field) => {
  const answer = await execute(body);

  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    error: { code: 'invalid.request', message: expect.stringContaining(field) },
  });
});

test('what never became a call has a status of its own', async () => {
  const body = { toolId: 'fs.read', payload: { path: 'a' } };

  const agent = await execute({ ...body, metadata: { agent: 'nobody' } });
  const secret = await execute({
    toolId: 'fs.write',
    payload: { path: 'a', content: 'password=hunter2hunter2' },
  });
  const anonymous = await client.call('/v1/tools/execute', {
    method: 'POST',
    body: { ...body, executionId: ID },
    anonymous: true,
  });

  expect([agent.status, secret.status, anonymous.status]).toEqual([404, 400, 401]);
  expect(agent.body).toMatchObject({ error: { code: 'agent.not_found' } });
  expect(secret.body).toMatchObject({ error: { code: 'tool.input_invalid' } });
});
