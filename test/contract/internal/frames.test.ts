import { expect, test } from 'vitest';
import type { RunId } from '../../../src/core/ids.ts';
import { createRun, type InternalServer, openInternalServer } from './test-internal-server.ts';

const PATH = '/runs/run_1/frames';
const FRAME = {
  thread_id: 'thread_1',
  frame_id: 'frm_001',
  type: 'user_message',
  payload: { text: 'hi' },
};
const NOTE = { ...FRAME, type: 'note', payload: { n: 1 } };

async function framesOf({ runtime }: InternalServer) {
  const events = await runtime.events('run_1' as RunId);
  return events.filter(({ type }) => type === 'frame.accepted').map(({ payload }) => payload);
}

async function answersOf({ runtime }: InternalServer) {
  const events = await runtime.events('run_1' as RunId);
  return events.filter(({ type }) => type === 'model.delta').map(({ payload }) => payload['text']);
}

function snapshotOf(server: InternalServer) {
  return server.get('/runs/run_1/snapshot?thread_id=thread_1').then(({ body }) => body);
}

test('accepts a frame and answers the same one again', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');

  const first = await server.post(PATH, NOTE);
  const second = await server.post(PATH, { ...NOTE, occurred_at: '2026-02-19T18:00:00Z' });

  expect(first.status).toBe(202);
  expect(first.body).toEqual({
    runId: 'run_1',
    frameId: 'frm_001',
    status: 'accepted',
    idempotentReplay: false,
  });
  expect(second.status).toBe(200);
  expect(second.body).toEqual({
    runId: 'run_1',
    frameId: 'frm_001',
    status: 'accepted',
    idempotentReplay: true,
  });
  expect(await framesOf(server)).toHaveLength(1);
});

test.each<[name: string, frame: object]>([
  ['payload', { ...NOTE, payload: { n: 2 } }],
  ['type', { ...NOTE, type: 'remark' }],
])('refuses another %s under the same frame id', async (_name, frame) => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  await server.post(PATH, NOTE);

  const answer = await server.post(PATH, frame);

  expect(answer.status).toBe(409);
  expect(answer.body).toEqual({
    error: { code: 'conflict', message: 'frame_id payload mismatch for existing frame' },
  });
});

test('takes the keys of a payload in any order for the same frame', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  await server.post(PATH, { ...NOTE, payload: { a: 1, b: { c: 2, d: 3 } } });

  const answer = await server.post(PATH, { ...NOTE, payload: { b: { d: 3, c: 2 }, a: 1 } });

  expect(answer.status).toBe(200);
});

test('accepts exactly one of 64 equal frames', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');

  const answers = await Promise.all(Array.from({ length: 64 }, () => server.post(PATH, NOTE)));

  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(63).fill(200), 202]);
  expect(await framesOf(server)).toHaveLength(1);
});

test('takes the older name of the type', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  const { type, ...rest } = NOTE;

  const first = await server.post(PATH, { ...rest, frame_type: type });
  const second = await server.post(PATH, NOTE);

  expect([first.status, second.status]).toEqual([202, 200]);
});

test('answers every message with a turn of the model and waits for the next', async () => {
  const server = await openInternalServer({ steps: [{ text: 'Hello!' }, { text: 'Again.' }] });
  await createRun(server, 'run_1');

  await server.post(PATH, FRAME);
  await expect.poll(() => answersOf(server), { timeout: 10_000 }).toEqual(['Hello!']);
  await server.post(PATH, { ...FRAME, frame_id: 'frm_002' });

  await expect.poll(() => answersOf(server), { timeout: 10_000 }).toEqual(['Hello!', 'Again.']);
  await expect
    .poll(() => snapshotOf(server), { timeout: 10_000 })
    .toMatchObject({
      status: 'running',
      awaitingInput: true,
    });
});

test.each<[type: string, payload: object, end: object]>([
  ['finish', {}, { status: 'succeeded', stopReason: 'completed' }],
  ['complete', {}, { status: 'succeeded', stopReason: 'completed' }],
  ['run_complete', {}, { status: 'succeeded', stopReason: 'completed' }],
  [
    'fail',
    { reason: 'no' },
    { status: 'failed', error: { code: 'execution_failed', message: 'no' } },
  ],
  [
    'error',
    { reason_class: 'upstream', reason: 'no' },
    { status: 'failed', error: { code: 'upstream', message: 'no' } },
  ],
  ['cancel', {}, { status: 'canceled', stopReason: 'cancelled' }],
])('ends the run with a %s frame', async (type, payload, end) => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');

  const answer = await server.post(PATH, { ...FRAME, type, payload });

  expect(answer.status).toBe(202);
  await expect.poll(() => snapshotOf(server), { timeout: 10_000 }).toMatchObject(end);
});

test('ends after the first answer when it was asked to', async () => {
  const server = await openInternalServer({ steps: [{ text: 'Hello!' }] });
  await createRun(server, 'run_1', { auto_finish: true });

  await server.post(PATH, FRAME);

  await expect
    .poll(() => snapshotOf(server), { timeout: 10_000 })
    .toMatchObject({
      status: 'succeeded',
      output: 'Hello!',
    });
});

test('keeps frames of an ended run and does nothing with them', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  await server.post('/runs/run_1/cancel', { thread_id: 'thread_1' });
  const before = await snapshotOf(server);

  const first = await server.post(PATH, FRAME);
  const second = await server.post(PATH, FRAME);
  const other = await server.post(PATH, NOTE);

  expect([first.status, second.status, other.status]).toEqual([202, 200, 409]);
  expect(await snapshotOf(server)).toEqual(before);
});

test('takes a burst of 30 frames in the order of their acceptance, then the end', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  const accepted: string[] = [];

  for (let number = 1; number <= 30; number += 1) {
    const id = `frm_${number}`;
    const answer = await server.post(PATH, { ...NOTE, frame_id: id, payload: { number } });
    expect(answer.status).toBe(202);
    accepted.push(id);
  }
  await server.post(PATH, { ...NOTE, frame_id: 'frm_end', type: 'complete', payload: {} });

  await expect
    .poll(() => snapshotOf(server), { timeout: 10_000 })
    .toMatchObject({
      status: 'succeeded',
    });
  const frames = await framesOf(server);
  expect(frames.map((payload) => payload['frame_id'])).toEqual([...accepted, 'frm_end']);
});

test('takes a burst of 30 frames that are sent at once', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');

  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, number) =>
      server.post(PATH, { ...NOTE, frame_id: `frm_${number}` }),
    ),
  );
  await server.post(PATH, { ...NOTE, frame_id: 'frm_end', type: 'complete', payload: {} });

  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(202));
  await expect
    .poll(() => snapshotOf(server), { timeout: 10_000 })
    .toMatchObject({
      status: 'succeeded',
    });
  const events = await server.runtime.events('run_1' as RunId);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
  expect(events.at(-1)?.type).toBe('run.completed');
});

const deep = (levels: number): object => (levels === 0 ? {} : { x: deep(levels - 1) });

test.each<[name: string, frame: unknown, message: string]>([
  ['no body', undefined, 'thread_id is required'],
  ['no thread', { ...NOTE, thread_id: undefined }, 'thread_id is required'],
  ['no frame id', { ...NOTE, frame_id: undefined }, 'frame_id is required'],
  ['an empty frame id', { ...NOTE, frame_id: '' }, 'frame_id must not be empty'],
  [
    'a long frame id',
    { ...NOTE, frame_id: 'x'.repeat(256) },
    'frame_id must be at most 255 characters',
  ],
  ['no type', { ...NOTE, type: undefined }, 'type is required'],
  ['no payload', { ...NOTE, payload: undefined }, 'payload is required'],
  ['a payload that is a list', { ...NOTE, payload: [] }, 'payload must be an object'],
  ['a payload that is a text', { ...NOTE, payload: 'x' }, 'payload must be an object'],
  [
    'a payload nested too deep',
    { ...NOTE, payload: deep(70) },
    'payload must not be nested more than 64 levels deep',
  ],
])('refuses %s with 400', async (_name, frame, message) => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');

  const answer = await server.post(PATH, frame);

  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ error: { code: 'invalid_request', message } });
});

test('refuses a payload that is nothing but depth', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  const levels = 100_000;
  const payload = `${'{"x":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const body = `{"thread_id":"thread_1","frame_id":"f","type":"note","payload":${payload}}`;

  const answer = await server.post(PATH, body, { sign: { threadId: 'thread_1' } });

  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    error: {
      code: 'invalid_request',
      message: 'payload must not be nested more than 64 levels deep',
    },
  });
});

test('refuses in the order of the contract', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  const bad = { thread_id: 'thread_1' };

  const answers = [
    await server.post(PATH, {}, { nobody: true }),
    await server.post(PATH, bad, { nobody: true }),
    await server.post('/runs/run_2/frames', bad, { userId: 7 }),
    await server.post(PATH, { thread_id: 'thread_2' }, { userId: 7 }),
    await server.post(PATH, bad, { userId: 7 }),
    await server.post(PATH, bad),
  ];

  expect(answers.map(({ status }) => status)).toEqual([400, 401, 404, 404, 403, 400]);
  expect(answers[2]?.body).toEqual({
    error: { code: 'not_found', message: 'run run_2 does not exist' },
  });
  expect(answers[4]?.body).toEqual({
    error: { code: 'forbidden', message: 'run/thread does not belong to principal' },
  });
});

test('the user decides when a guest is named too', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  await server.post('/runs', { run_id: 'run_g', thread_id: 'thread_1' }, { guestScope: 'g1' });
  const both = { userId: 42, guestScope: 'g1' };

  const mine = await server.post(PATH, NOTE, both);
  const guests = await server.post('/runs/run_g/frames', NOTE, both);

  expect([mine.status, guests.status]).toEqual([202, 403]);
});

test('a user id that is no integer falls back to the guest', async () => {
  const server = await openInternalServer();
  await server.post('/runs', { run_id: 'run_1', thread_id: 'thread_1' }, { guestScope: 'g1' });

  const answer = await server.post(PATH, NOTE, {
    guestScope: 'g1',
    headers: { 'x-oa-user-id': 'forty-two' },
  });

  expect(answer.status).toBe(202);
});

test('records the trace of the request that brought it', async () => {
  const server = await openInternalServer();
  await createRun(server, 'run_1');
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

  const answer = await server.post(PATH, NOTE, {
    headers: { traceparent, tracestate: 'vendor=1', 'x-request-id': 'req-7' },
  });

  expect(answer.headers['x-request-id']).toBe('req-7');
  expect(await framesOf(server)).toEqual([
    {
      frame_id: 'frm_001',
      type: 'note',
      payload: { n: 1 },
      trace: { traceparent, tracestate: 'vendor=1', request_id: 'req-7' },
    },
  ]);
});
