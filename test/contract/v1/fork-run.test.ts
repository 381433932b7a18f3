import { expect, test } from 'vitest';
import type { RunId } from '../../../src/core/ids.ts';
import {
  AGENT,
  append,
  finish,
  openTestServer,
  start,
  submit,
  type TestServer,
} from './test-server.ts';

const FORK = '/v1/runs/run_1/fork';
const RUN_ID = expect.stringMatching(/^run_/);
const CALL = { id: 'call_1', tool: 'fs.read', input: { path: 'a.txt' } };

/** 1 created, 2 started, 3 the model wants a call, 4 call, 5 result, 6 answer, 7 end. */
async function openEnded(): Promise<TestServer> {
  const server = await openTestServer();
  const lease = await start(server, 'run_1');
  const about = { request_id: 'req_1', tool: 'fs.read', tool_call_id: 'call_1' };
  await append(
    server,
    lease,
    { type: 'model.completed', payload: { turn: 1, text: 'I look.', tool_calls: [CALL] } },
    { type: 'tool.call', payload: { ...about, input: CALL.input, traits: ['untrusted_input'] } },
    { type: 'tool.result', payload: { ...about, ok: true, output: { content: 'four' } } },
    { type: 'model.completed', payload: { turn: 2, text: 'It says four.', tool_calls: [] } },
  );
  await finish(server, lease);
  return server;
}

async function createdBy(server: TestServer, answer: { readonly body: unknown }) {
  const { id } = answer.body as { id: RunId };
  const [created] = await server.storage.events.read(id, { after: 0, limit: 1 });
  return created?.payload;
}

test('makes a run that goes on from an event, and says so wherever it is shown', async () => {
  const server = await openEnded();

  const answer = await server.post(FORK, { at_seq: 5, model: 'openai/gpt-5.4-mini' });

  const forkedFrom = { run_id: 'run_1', seq: 5 };
  expect(answer.status).toBe(202);
  expect(answer.body).toEqual({ id: RUN_ID, status: 'queued', forked_from: forkedFrom });
  const { id } = answer.body as { id: string };
  expect(answer.headers.location).toBe(`/v1/runs/${id}`);
  expect(await createdBy(server, answer)).toEqual({
    source: 'http',
    message: 'hello',
    model: 'openai/gpt-5.4-mini',
    forked_from: forkedFrom,
    history: {
      messages: [
        { role: 'user', text: 'hello' },
        { role: 'assistant', text: 'I look.', tool_calls: [CALL] },
        {
          role: 'tool',
          text: '{"content":"four"}',
          tool: 'fs.read',
          tool_call_id: 'call_1',
          ok: true,
        },
      ],
      exposure: ['untrusted_input'],
    },
  });
  const one = await server.call(`/v1/runs/${id}`);
  const list = await server.call('/v1/runs?status=queued');
  expect(one.body).toMatchObject({ agent_id: AGENT, status: 'queued', forked_from: forkedFrom });
  expect(list.body).toMatchObject({ runs: [{ id, forked_from: forkedFrom }] });
  expect((await server.call('/v1/runs/run_1')).body).not.toHaveProperty('forked_from');
});

test('a message is what is asked next', async () => {
  const server = await openEnded();

  const answer = await server.post(FORK, { at_seq: 7, message: 'And five?' });

  expect(answer.status).toBe(202);
  expect(await createdBy(server, answer)).toMatchObject({
    message: 'And five?',
    history: {
      messages: [
        { role: 'user', text: 'hello' },
        { role: 'assistant' },
        { role: 'tool' },
        { role: 'assistant', text: 'It says four.' },
        { role: 'user', text: 'And five?' },
      ],
    },
  });
});

test('the same key gives the same fork, another body a conflict', async () => {
  const server = await openEnded();
  const headers = { 'idempotency-key': 'k-1' };

  const first = await server.post(FORK, { at_seq: 2 }, { headers });
  const again = await server.post(FORK, { at_seq: 2 }, { headers });
  const other = await server.post(FORK, { at_seq: 5 }, { headers });

  expect([first.status, again.status, other.status]).toEqual([202, 202, 409]);
  expect(again.body).toEqual(first.body);
  expect(again.headers['idempotent-replay']).toBe('true');
  expect((await server.runs.list({ limit: 10 })).runs).toHaveLength(2);
});

test.each([
  [{ at_seq: 0 }, 'run run_1 has events 1 to 7; at_seq is 0', undefined],
  [{ at_seq: -3 }, 'run run_1 has events 1 to 7; at_seq is -3', undefined],
  [{ at_seq: 8 }, 'run run_1 has events 1 to 7; at_seq is 8', undefined],
  [
    { at_seq: 3 },
    'event 3 of run run_1 stands inside a tool call: use at_seq 2 or 5',
    { near_seqs: [2, 5] },
  ],
  [
    { at_seq: 4, message: 'x' },
    'event 4 of run run_1 stands inside a tool call: use at_seq 2 or 5',
    { near_seqs: [2, 5] },
  ],
  [
    { at_seq: 6 },
    'run run_1 had answered by event 6: give a message, or an at_seq before the answer',
    undefined,
  ],
])('%o is refused, and nothing is made', async (body, message, details) => {
  const server = await openEnded();

  const answer = await server.post(FORK, body);

  expect([answer.status, answer.body]).toEqual([
    400,
    { error: { code: 'invalid.request', message, ...(details && { details }) } },
  ]);
  expect((await server.runs.list({ limit: 10 })).runs).toHaveLength(1);
});

test.each([
  [{}, 400],
  [{ at_seq: 1.5 }, 400],
  [{ at_seq: '2' }, 400],
  [{ at_seq: 2, message: ' ' }, 400],
  [{ at_seq: 2, model: 'nothing' }, 400],
  [{ at_seq: 2, more: true }, 400],
  [{ at_seq: 2, agent_id: 'agent_missing' }, 404],
])('%o is answered with %i', async (body, status) => {
  const server = await openEnded();

  const answer = await server.post(FORK, body);

  expect(answer.status).toBe(status);
  expect((await server.runs.list({ limit: 10 })).runs).toHaveLength(1);
});

test('a run that goes on, one call of a tool, and one that is not there are refused', async () => {
  const server = await openTestServer();
  await submit(server, 'run_open');
  await submit(server, 'run_tool', '/tool fs.list {}');
  await server.post('/v1/runs/run_tool/cancel', {});

  const open = await server.post('/v1/runs/run_open/fork', { at_seq: 1 });
  const direct = await server.post('/v1/runs/run_tool/fork', { at_seq: 1 });
  const missing = await server.post('/v1/runs/run_missing/fork', { at_seq: 1 });

  expect([open.status, direct.status, missing.status]).toEqual([409, 400, 404]);
  expect(open.body).toEqual({
    error: {
      code: 'conflict',
      message: 'run run_open is queued: wait for its end, or cancel it first',
    },
  });
});

test("a fork of a principal's run acts for that principal", async () => {
  const server = await openTestServer();
  const request = { agentId: AGENT, message: 'hello', source: 'internal', owner: 'user:42' };
  const { run } = await server.runs.submit(request);
  await server.runs.cancel({ runId: run.id, reason: '', actor: 'user' });

  const answer = await server.post(`/v1/runs/${run.id}/fork`, { at_seq: 1 });

  const { id } = answer.body as { id: RunId };
  expect((await server.runs.get(id)).owner).toBe('user:42');
  expect(await createdBy(server, answer)).toMatchObject({ principal: 'user:42' });
});
