import { expect, test } from 'vitest';
import type { RunId } from '../../../src/core/ids.ts';
import { append, delta, finish, openTestServer, start, submit } from './test-server.ts';

test('says that a run went the same way again', async () => {
  const server = await openTestServer();
  await submit(server, 'run_1');
  await server.post('/v1/runs/run_1/cancel', { reason: 'no longer needed' });

  const answer = await server.post('/v1/runs/run_1/replay', {});

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    run_id: 'run_1',
    equal: true,
    matched_events: 1,
    divergence: null,
  });
});

test('shows both sides of the first event that differs, and writes nothing', async () => {
  const server = await openTestServer();
  await finish(server, await start(server, 'run_1'));

  const answer = await server.call('/v1/runs/run_1/replay', { method: 'POST' });

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    run_id: 'run_1',
    equal: false,
    matched_events: 0,
    divergence: {
      seq: 3,
      recorded: {
        event_type: 'run.completed',
        actor: 'system',
        payload: { status: 'completed', output: 'all done' },
      },
      replayed: {
        event_type: 'model.requested',
        actor: 'system',
        payload: expect.objectContaining({ turn: 1, attempt: 1, messages: 1, mode: 'normal' }),
      },
    },
  });
  expect((await server.runs.get('run_1' as RunId)).lastSeq).toBe(3);
});

test('refuses a run that goes on', async () => {
  const server = await openTestServer();
  await start(server, 'run_1');

  const answer = await server.post('/v1/runs/run_1/replay', {});

  expect([answer.status, answer.body]).toEqual([
    409,
    {
      error: {
        code: 'conflict',
        message: 'run run_1 is running: wait for its end, or cancel it first',
      },
    },
  ]);
});

test('refuses a run whose beginning is no longer kept', async () => {
  const server = await openTestServer();
  const lease = await start(server, 'run_1');
  await append(server, lease, delta('a'), delta('b'), delta('c'));
  await finish(server, lease);
  const runId = 'run_1' as RunId;
  await server.storage.runs.markRecorded([{ runId, auditedSeq: 6, bundled: true }]);
  await server.storage.retention.prune([{ runId, through: 3 }]);
  const gone = {
    error: {
      code: 'cursor.stale',
      message:
        'the beginning of run run_1 is no longer kept (events up to 3): nobody can go through it again',
      details: { floor: 3 },
    },
  };

  const replay = await server.post('/v1/runs/run_1/replay', {});
  const fork = await server.post('/v1/runs/run_1/fork', { at_seq: 5, message: 'go on' });
  const diff = await server.call('/v1/runs/run_1/diff?with=run_1');

  expect([replay.status, replay.body]).toEqual([410, gone]);
  expect([fork.status, fork.body]).toEqual([410, gone]);
  expect([diff.status, diff.body]).toEqual([410, gone]);
});

test.each([
  ['POST', '/v1/runs/run_missing/replay'],
  ['GET', '/v1/runs/run_missing/diff?with=run_missing'],
])('%s %s answers 404', async (method, path) => {
  const server = await openTestServer();

  const answer = await server.call(path, { method });

  expect([answer.status, answer.body]).toEqual([
    404,
    { error: { code: 'run.not_found', message: 'run run_missing does not exist' } },
  ]);
});

test.each(['replay', 'fork', 'diff?with=run_1'])(
  '%s is for whoever has the token',
  async (verb) => {
    const server = await openTestServer();
    await finish(server, await start(server, 'run_1'));
    const method = verb.startsWith('diff') ? 'GET' : 'POST';

    const answer = await server.call(`/v1/runs/run_1/${verb}`, { method, anonymous: true });

    expect(answer.status).toBe(401);
  },
);

test('compares two runs step by step', async () => {
  const server = await openTestServer();
  const first = await start(server, 'run_1');
  await append(server, first, completed('four'));
  await finish(server, first);
  const second = await start(server, 'run_2');
  await append(server, second, completed('five'));
  await finish(server, second);
  const step = (seq: number, event_type: string, line: string) => ({ seq, event_type, line });

  const answer = await server.call('/v1/runs/run_1/diff?with=run_2');

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    left: 'run_1',
    right: 'run_2',
    equal: false,
    same_steps: 1,
    shared_through_seq: null,
    first_divergence: {
      left: {
        ...step(3, 'model.completed', 'four'),
        said: { text: 'four', tool_calls: [], finish_reason: 'stop' },
      },
      right: {
        ...step(3, 'model.completed', 'five'),
        said: { text: 'five', tool_calls: [], finish_reason: 'stop' },
      },
    },
    steps: [
      {
        equal: true,
        left: step(1, 'run.created', 'hello'),
        right: step(1, 'run.created', 'hello'),
      },
      {
        equal: false,
        left: step(3, 'model.completed', 'four'),
        right: step(3, 'model.completed', 'five'),
      },
      {
        equal: true,
        left: step(4, 'run.completed', 'all done'),
        right: step(4, 'run.completed', 'all done'),
      },
    ],
    truncated: false,
  });
});

function completed(text: string) {
  return {
    type: 'model.completed',
    actor: 'model',
    payload: { turn: 1, text, tool_calls: [], finish_reason: 'stop', usage: {} },
  } as const;
}
