import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { RunId } from '../../../src/core/ids.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openEvents } from './event-reader.ts';
import { TOKEN } from './http-client.ts';
import {
  append,
  delta,
  finish,
  openTestServer,
  START_MS,
  start,
  submit,
  type TestServer,
} from './test-server.ts';

const DONE = (id: number) => ({ id, event: 'done', data: '[DONE]' });

async function seedCompleted(server: TestServer, id: string, deltas: number): Promise<void> {
  const lease = await start(server, id);
  for (let from = 0; from < deltas; from += 500) {
    const count = Math.min(500, deltas - from);
    await append(
      server,
      lease,
      ...Array.from({ length: count }, (_, at) => delta(`é${from + at}`)),
    );
  }
  await finish(server, lease);
}

test('streams the whole log of an ended run, then [DONE], then closes', async () => {
  const server = await openTestServer({ clock: new ManualClock(START_MS) });
  await seedCompleted(server, 'run_1', 1);

  const reader = await openEvents(server.port, '/v1/runs/run_1/events');
  await reader.ended;

  const base = {
    event_id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
    ts: '2026-02-15T00:00:00.000Z',
    run_id: 'run_1',
    agent_id: 'agent_default',
  };
  const frames = reader.frames();
  expect(reader.text().startsWith('retry: 1000\n\nid: 1\nevent: run.created\ndata: {')).toBe(true);
  expect(frames.map((frame) => [frame.id, frame.event])).toEqual([
    [1, 'run.created'],
    [2, 'run.started'],
    [3, 'model.delta'],
    [4, 'run.completed'],
    [4, 'done'],
  ]);
  expect(frames.slice(0, 4).map((frame) => JSON.parse(frame.data))).toEqual([
    {
      ...base,
      event_type: 'run.created',
      seq: 1,
      actor: 'user',
      payload: { source: 'http', message: 'hello' },
    },
    { ...base, event_type: 'run.started', seq: 2, actor: 'system', payload: {} },
    { ...base, event_type: 'model.delta', seq: 3, actor: 'model', payload: { text: 'é0' } },
    {
      ...base,
      event_type: 'run.completed',
      seq: 4,
      actor: 'system',
      payload: { status: 'completed', output: 'all done' },
    },
  ]);
  expect(frames[4]).toEqual(DONE(4));
});

test('sends the headers of a stream and keeps the security ones', async () => {
  const server = await openTestServer();
  await seedCompleted(server, 'run_1', 0);

  const reader = await openEvents(server.port, '/v1/runs/run_1/events', {
    headers: { 'x-request-id': 'mine' },
  });

  expect(reader.status).toBe(200);
  expect(reader.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-store',
    'x-accel-buffering': 'no',
    'x-request-id': 'mine',
    'x-content-type-options': 'nosniff',
    'ratelimit-limit': '600',
  });
});

test.each<[name: string, query: string, headers: Record<string, string>, ids: number[]]>([
  ['no cursor', '', {}, [1, 2, 3, 4, 4]],
  ['cursor 0', '?cursor=0', {}, [1, 2, 3, 4, 4]],
  ['a cursor', '?cursor=2', {}, [3, 4, 4]],
  ['Last-Event-ID', '', { 'last-event-id': '3' }, [4, 4]],
  ['both, equal', '?cursor=3', { 'last-event-id': '3' }, [4, 4]],
  ['a cursor at the end', '?cursor=4', {}, [4]],
  ['a cursor beyond the end', '?cursor=99', {}, [4]],
])('starts after the place that %s names', async (_name, query, headers, ids) => {
  const server = await openTestServer();
  await seedCompleted(server, 'run_1', 1);

  const reader = await openEvents(server.port, `/v1/runs/run_1/events${query}`, { headers });
  await reader.ended;

  const frames = reader.frames();
  expect(frames.map((frame) => frame.id)).toEqual(ids);
  expect(frames.at(-1)).toEqual(DONE(4));
});

test.each<[query: string, headers: Record<string, string>, message: string]>([
  ['cursor=1', { 'last-event-id': '2' }, 'cursor and last-event-id differ'],
  ['cursor=-1', {}, 'cursor must be at least 0'],
  ['cursor=1.5', {}, 'cursor must be an integer'],
  ['cursor=latest', {}, 'cursor must be an integer'],
  ['', { 'last-event-id': 'abc' }, 'last-event-id must be an integer'],
  ['tail_ms=0', {}, 'tail_ms must be at least 1'],
  ['tail_ms=300001', {}, 'tail_ms must be at most 300000'],
  ['follow=1', {}, 'unknown query parameter: follow'],
])('refuses ?%s with %j', async (query, headers, message) => {
  const server = await openTestServer();
  await submit(server, 'run_1');

  const answer = await server.call(`/v1/runs/run_1/events?${query}`, { headers });

  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ error: { code: 'invalid.request', message } });
});

test('answers 404 in the envelope for a run that does not exist', async () => {
  const server = await openTestServer();

  const answer = await server.call('/v1/runs/run_x/events');

  expect(answer.status).toBe(404);
  expect(answer.body).toEqual({
    error: { code: 'run.not_found', message: 'run run_x does not exist' },
  });
});

test('answers HEAD with the headers and no stream', async () => {
  const server = await openTestServer();
  await submit(server, 'run_1');

  const answer = await server.call('/v1/runs/run_1/events', { method: 'HEAD' });

  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/event-stream');
  expect(answer.text).toBe('');
});

test('sends events as they happen', async () => {
  const server = await openTestServer();
  const lease = await start(server, 'run_1');
  const reader = await openEvents(server.port, '/v1/runs/run_1/events');
  await expect.poll(() => reader.frames().length, { timeout: 5000 }).toBe(2);

  await append(server, lease, delta('now'));
  await expect.poll(() => reader.frames().at(-1)?.event, { timeout: 5000 }).toBe('model.delta');
  await finish(server, lease);
  await reader.ended;

  expect(reader.frames().map((frame) => frame.id)).toEqual([1, 2, 3, 4, 4]);
});

test('closes without [DONE] when nothing happens for tail_ms', async () => {
  const server = await openTestServer();
  await submit(server, 'run_1');

  const reader = await openEvents(server.port, '/v1/runs/run_1/events?tail_ms=30');
  await reader.ended;

  expect(reader.frames().map((frame) => frame.event)).toEqual(['run.created']);
});

test('keeps a quiet stream awake with comments', async () => {
  const server = await openTestServer({ config: { streamHeartbeatMs: 20 } });
  await submit(server, 'run_1');

  const reader = await openEvents(server.port, '/v1/runs/run_1/events');

  await expect.poll(() => reader.text(), { timeout: 5000 }).toContain('\n\n: keep-alive\n\n');
});

test('gives a reader that is cut off anywhere the whole log, in order, once', async () => {
  const server = await openTestServer({ config: { rateLimitMax: 10_000 } });
  await seedCompleted(server, 'run_1', 2000);
  const seen: string[] = [];
  let lastId = 0;
  let cuts = 0;

  // The pieces grow by a step that is coprime to every frame's length: cuts fall on all places of a frame.
  for (let isDone = false; !isDone; cuts += 1) {
    const reader = await openEvents(server.port, '/v1/runs/run_1/events', {
      headers: { 'last-event-id': String(lastId) },
      leaveAfterBytes: 1000 + cuts * 97,
    });
    await reader.ended.catch(() => {});
    for (const frame of reader.frames()) {
      isDone = frame.event === 'done';
      if (!isDone) seen.push(frame.data);
      lastId = frame.id;
    }
  }

  expect(cuts).toBeGreaterThan(50);
  const log = [];
  for (let after = 0; after < lastId; after += 500) {
    log.push(...(await server.storage.events.read('run_1' as RunId, { after, limit: 500 })));
  }
  expect(seen.map((data) => JSON.parse(data).event_id)).toEqual(log.map((event) => event.id));
});

test('drops a reader that takes nothing, and others do not notice', async () => {
  // Long enough for the other reader, which has its turns from the same busy process.
  const server = await openTestServer({ config: { streamStallMs: 3_000 } });
  const lease = await start(server, 'run_1');
  const big = 'x'.repeat(100_000);
  for (let page = 0; page < 10; page += 1) {
    await append(server, lease, ...Array.from({ length: 20 }, () => delta(big)));
  }
  await finish(server, lease);
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();

  socket.write(
    `GET /v1/runs/run_1/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`,
  );
  const reader = await openEvents(server.port, '/v1/runs/run_1/events');
  await reader.ended;

  expect(reader.frames()).toHaveLength(204);
  await expect
    .poll(() => server.logs.map((line) => line.fields['status']).sort(), { timeout: 30_000 })
    .toEqual([200, 499]);
  socket.destroy();
});

test('releases what a reader held when it leaves', async () => {
  const counts: number[] = [];
  const server = await openTestServer({
    metrics: { httpRequest: () => {}, openStreams: (count) => counts.push(count) },
  });
  await submit(server, 'run_1');
  const reader = await openEvents(server.port, '/v1/runs/run_1/events');

  reader.leave();

  await expect.poll(() => counts, { timeout: 5000 }).toEqual([1, 0]);
});

test('refuses one stream too many in the envelope', async () => {
  const server = await openTestServer({ config: { maxStreams: 1 } });
  await submit(server, 'run_1');
  const reader = await openEvents(server.port, '/v1/runs/run_1/events');

  const refused = await server.call('/v1/runs/run_1/events');
  reader.leave();

  expect(refused.status).toBe(429);
  expect(refused.headers['retry-after']).toBe('5');
  expect(refused.body).toEqual({
    error: {
      code: 'rate.limited',
      message: 'too many open streams (1)',
      details: { retry_after_seconds: 5 },
    },
  });
  await expect
    .poll(async () => (await server.call('/v1/runs/run_1/events?tail_ms=1')).status, {
      timeout: 5000,
    })
    .toBe(200);
});

test('ends streams properly when the server shuts down', async () => {
  const server = await openTestServer();
  await submit(server, 'run_1');
  const reader = await openEvents(server.port, '/v1/runs/run_1/events');

  await server.http.close(5000);
  await reader.ended;

  expect(reader.frames().map((frame) => frame.event)).toEqual(['run.created']);
});

test('a reader beyond the end and one at the end wait side by side, and everybody else is served', async () => {
  const server = await openTestServer();
  const lease = await start(server, 'run_1');
  const ahead = await openEvents(server.port, '/v1/runs/run_1/events?cursor=4');
  const atEnd = await openEvents(server.port, '/v1/runs/run_1/events?cursor=2');

  const health = await server.call('/healthz', { anonymous: true });
  await append(server, lease, delta('3'), delta('4'), delta('5'));
  await finish(server, lease);
  await Promise.all([ahead.ended, atEnd.ended]);

  expect(health.status).toBe(200);
  expect(atEnd.frames().map(({ id }) => id)).toEqual([3, 4, 5, 6, 6]);
  expect(ahead.frames().map(({ id }) => id)).toEqual([5, 6, 6]);
});
