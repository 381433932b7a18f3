import { expect, test } from 'vitest';
import type { RunId } from '../../../src/core/ids.ts';
import type { StreamReader } from './stream-reader.ts';
import { createRun, type InternalServer, openInternalServer } from './test-internal-server.ts';

const PATH = '/runs/run_1/stream?thread_id=thread_1';
const RUN = 'run_1' as RunId;
const TEXT = 'The quick brown fox. ';

function send(
  server: InternalServer,
  frameId: string,
  type = 'user_message',
  payload = { text: 'hi' },
) {
  const frame = { thread_id: 'thread_1', frame_id: frameId, type, payload };
  return server.post('/runs/run_1/frames', frame);
}

function note(server: InternalServer, frameId: string) {
  return send(server, frameId, 'note', { text: frameId });
}

/** A run that has ended, with all of its events. */
async function finishedRun(server: InternalServer) {
  await createRun(server, 'run_1', { auto_finish: true });
  await send(server, 'frm_1');
  await server.runtime.awaitEnd(RUN);
  return server.runtime.events(RUN);
}

const idsOf = (reader: StreamReader) => reader.frames().map(({ id }) => id);

test('streams a whole run in the words of the contract', async () => {
  const server = await openInternalServer({
    steps: [
      { toolCalls: [{ tool: 'time.now', input: {}, callId: 'call_1' }] },
      { text: TEXT, usage: { inputTokens: 12, outputTokens: 7 } },
    ],
  });
  const events = await finishedRun(server);

  const reader = await server.stream(`${PATH}&cursor=0`);
  await reader.ended;

  expect(reader.status).toBe(200);
  expect(reader.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-store',
    'x-accel-buffering': 'no',
  });
  expect(reader.headers['content-encoding']).toBeUndefined();
  const frames = reader.frames();
  expect(frames.map(({ id }) => id)).toEqual([...events.map(({ seq }) => seq), events.length]);
  expect(new Set(frames.map(({ event }) => event))).toEqual(new Set(['message']));
  const data = frames.map((frame) => frame.data);
  expect(data.map((one) => (one as { type?: string }).type ?? one)).toEqual([
    ...events.map(({ type }) => TYPES[type] ?? 'event'),
    '[DONE]',
  ]);
  const byType = (type: string) => events.findIndex((event) => event.type === type);
  expect(data[0]).toEqual({
    type: 'event',
    runId: 'run_1',
    eventType: 'run.created',
    payload: events[0]?.payload,
  });
  expect(data[byType('run.started')]).toEqual({
    type: 'start',
    runId: 'run_1',
    meta: { agent_id: 'agent_default', started_at: expect.stringMatching(/Z$/) },
  });
  expect(data[byType('model.delta')]).toEqual({ type: 'text-delta', delta: TEXT, runId: 'run_1' });
  expect(data[byType('tool.call')]).toEqual({
    type: 'tool-call',
    runId: 'run_1',
    toolCall: events[byType('tool.call')]?.payload,
  });
  expect(data[byType('tool.result')]).toEqual({
    type: 'tool-result',
    runId: 'run_1',
    toolResult: events[byType('tool.result')]?.payload,
  });
  expect(data[byType('run.completed')]).toEqual({
    type: 'finish',
    runId: 'run_1',
    meta: {
      status: 'succeeded',
      reason_class: 'completed',
      output: TEXT,
      usage: { turns: 2, tool_calls: 1, input_tokens: 12, output_tokens: 7, cost_usd: null },
      finished_at: expect.stringMatching(/Z$/),
    },
  });
});

const TYPES: Readonly<Record<string, string>> = {
  'run.started': 'start',
  'model.delta': 'text-delta',
  'tool.call': 'tool-call',
  'tool.result': 'tool-result',
  'run.completed': 'finish',
};

test('writes frames to the byte as the contract shows them', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  await server.post('/runs/run_1/cancel', { thread_id: 'thread_1', reason: 'enough' });

  const reader = await server.stream(`${PATH}&cursor=1`);
  await reader.ended;

  const [retry, requested, finish, done, rest] = reader.text().split('\n\n');
  expect(retry).toBe('retry: 1000');
  expect(requested).toBe(
    'event: message\nid: 2\ndata: {"type":"event","runId":"run_1","eventType":"run.cancel_requested",' +
      '"payload":{"reason":"enough"}}',
  );
  expect(finish).toMatch(
    /^event: message\nid: 3\ndata: \{"type":"finish","runId":"run_1","meta":\{"status":"canceled",/,
  );
  expect(done).toBe('event: message\nid: 3\ndata: [DONE]');
  expect(rest).toBe('');
});

test('without a cursor begins at the latest event and waits', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  await note(server, 'frm_1');
  const { lastSeq } = await server.runtime.runs.get(RUN);

  const reader = await server.stream(`${PATH}&tail_ms=60000`);
  await note(server, 'frm_2');
  await reader.awaitFrames(1);

  expect(idsOf(reader)[0]).toBeGreaterThan(lastSeq);
  expect(JSON.stringify(reader.frames())).toContain('frm_2');
  expect(JSON.stringify(reader.frames())).not.toContain('frm_1');
});

test.each<[name: string, query: string, headers: Record<string, string>]>([
  ['the query', '&cursor=2', {}],
  ['Last-Event-ID', '', { 'last-event-id': '2' }],
  ['both alike', '&cursor=2', { 'last-event-id': '2' }],
])('goes on after the cursor of %s', async (_name, query, headers) => {
  const server = await openInternalServer({ steps: [{ text: TEXT }] });
  const events = await finishedRun(server);

  const reader = await server.stream(PATH + query, { headers });
  await reader.ended;

  const seqs = events.map(({ seq }) => seq).slice(2);
  expect(idsOf(reader)).toEqual([...seqs, events.length]);
});

test.each([0, 1])(
  'sends only the end mark of a run to who has seen all, %i beyond',
  async (more) => {
    const server = await openInternalServer({ steps: [{ text: TEXT }] });
    const { length } = await finishedRun(server);

    const reader = await server.stream(`${PATH}&cursor=${length + more}`);
    await reader.ended;

    expect(reader.frames()).toEqual([{ event: 'message', id: length, data: '[DONE]' }]);
  },
);

test('waits with a cursor above the latest event and sends nothing up to it', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  await note(server, 'frm_1');
  await expect
    .poll(async () => (await server.runtime.runs.get(RUN)).status, { timeout: 5000 })
    .toBe('waiting');
  const { lastSeq } = await server.runtime.runs.get(RUN);

  const reader = await server.stream(`${PATH}&cursor=${lastSeq + 2}&tail_ms=60000`);
  await note(server, 'frm_2');
  await note(server, 'frm_3');
  await note(server, 'frm_4');
  await reader.awaitFrames(1);

  expect(idsOf(reader)[0]).toBe(lastSeq + 3);
});

test('takes the largest cursor that a number holds exactly', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');

  const reader = await server.stream(`${PATH}&cursor=9007199254740991&tail_ms=50`);
  await reader.ended;

  expect([reader.status, reader.frames()]).toEqual([200, []]);
});

test('closes after a time without events', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');

  const reader = await server.stream(`${PATH}&cursor=0&tail_ms=50`);
  await reader.ended;

  expect(idsOf(reader)).toEqual([1]);
  expect(reader.text()).not.toContain('[DONE]');
});

test('sends comments while nothing happens', async () => {
  const server = await openInternalServer({ http: { streamHeartbeatMs: 20 } });
  await createRun(server, 'run_1');

  const reader = await server.stream(`${PATH}&tail_ms=60000`);

  await expect.poll(() => reader.text(), { timeout: 5000 }).toContain(': keep-alive\n\n');
  expect(reader.frames()).toEqual([]);
});

test('ends with the run that it follows', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  const reader = await server.stream(`${PATH}&tail_ms=60000`);

  await server.post('/runs/run_1/cancel', { thread_id: 'thread_1' });
  await reader.ended;

  expect(reader.frames().at(-1)?.data).toBe('[DONE]');
});

test.each<[query: string, headers: Record<string, string>, message: string]>([
  ['&cursor=-1', {}, 'cursor must be an integer >= 0'],
  ['&cursor=x', {}, 'cursor must be an integer >= 0'],
  ['&cursor=', {}, 'cursor must be an integer >= 0'],
  ['&cursor=1.5', {}, 'cursor must be an integer >= 0'],
  ['&cursor=1e3', {}, 'cursor must be an integer >= 0'],
  ['&cursor=9007199254740992', {}, 'cursor must be an integer >= 0'],
  ['', { 'last-event-id': 'x' }, 'last-event-id must be an integer >= 0'],
  ['&cursor=1', { 'last-event-id': '2' }, 'cursor query and Last-Event-ID must match'],
  ['&tail_ms=0', {}, 'tail_ms must be a positive integer, at most 300000'],
  ['&tail_ms=-5', {}, 'tail_ms must be a positive integer, at most 300000'],
  ['&tail_ms=soon', {}, 'tail_ms must be a positive integer, at most 300000'],
  ['&tail_ms=300001', {}, 'tail_ms must be a positive integer, at most 300000'],
  ['&cursor=x&tail_ms=x', {}, 'cursor must be an integer >= 0'],
])('refuses %s %j with 400', async (query, headers, message) => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');

  const answer = await server.get(PATH + query, { headers });

  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ error: { code: 'invalid_request', message } });
});

test('refuses a cursor below the retention floor with 410, and takes the floor', async () => {
  const server = await openInternalServer({ steps: [{ text: TEXT }] });
  const { length } = await finishedRun(server);
  const { retention } = server.runtime.storage;
  await expect
    .poll(() => retention.prune([{ runId: RUN, through: 3 }]), { timeout: 10_000 })
    .toBe(3);

  const below = await server.get(`${PATH}&cursor=2`);
  const probe = await server.call(`${PATH}&cursor=2`, { method: 'HEAD' });
  const reader = await server.stream(`${PATH}&cursor=3`);
  await reader.ended;

  expect(below.status).toBe(410);
  expect(below.body).toEqual({
    error: {
      code: 'stale_cursor',
      message: 'cursor 2 of run run_1 is stale: events up to 3 are no longer kept',
    },
  });
  expect(probe.status).toBe(410);
  expect(idsOf(reader)[0]).toBe(4);
  expect(idsOf(reader).at(-1)).toBe(length);
});

test('refuses in the order of the contract', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  const bad = '&cursor=x&tail_ms=0';

  const answers = [
    await server.get(`/runs/run_1/stream?${bad}`, { nobody: true }),
    await server.get(PATH + bad, { nobody: true }),
    await server.get(`/runs/run_2/stream?thread_id=thread_1${bad}`, { userId: 7 }),
    await server.get(PATH + bad, { userId: 7 }),
    await server.get(PATH + bad),
  ];

  expect(answers.map(({ status }) => status)).toEqual([400, 401, 404, 403, 400]);
});

test('answers HEAD without a stream', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');

  const answer = await server.call(PATH, { method: 'HEAD' });

  expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
    200,
    'text/event-stream',
    '',
  ]);
});

test('needs a new signature for every connection', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  const sign = { nonce: 'nonce-1' };
  const first = await server.stream(`${PATH}&tail_ms=60000`, { sign });

  const second = await server.get(PATH, { sign });

  expect([first.status, second.status]).toEqual([200, 401]);
});

test('a run comes out whole through many short connections', async () => {
  const server = await openInternalServer({ steps: [{ text: Array(20).fill(TEXT) }] });
  const events = await finishedRun(server);
  const seen: number[] = [];
  let isDone = false;

  while (!isDone) {
    const reader = await server.stream(`${PATH}&cursor=${seen.at(-1) ?? 0}`);
    const frames = await reader.awaitFrames(1);
    reader.leave();
    for (const frame of frames.slice(0, 2)) {
      isDone ||= frame.data === '[DONE]';
      if (frame.data !== '[DONE]') seen.push(frame.id);
    }
  }

  expect(seen).toEqual(events.map(({ seq }) => seq));
});
