import { expect, test } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import { append, finish, openTestServer, START_MS, start, submit } from './test-server.ts';

test('answers with every field of a queued run', async () => {
  const server = await openTestServer({ clock: new ManualClock(START_MS) });
  await submit(server, 'run_123', 'Summarize repository status');

  const answer = await server.call('/v1/runs/run_123');

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    id: 'run_123',
    agent_id: 'agent_default',
    source: 'http',
    status: 'queued',
    output: '',
    artifact_path: '.openclawssy/agents/agent_default/runs/run_123',
    duration_ms: 0,
    tool_calls: 0,
    provider: '',
    model: '',
    message: 'Summarize repository status',
    stop_reason: null,
    usage: { input_tokens: 0, output_tokens: 0, cost_usd: 0 },
    created_at: '2026-02-15T00:00:00.000Z',
    updated_at: '2026-02-15T00:00:00.000Z',
    last_seq: 1,
    trace: { tool_execution_results: [] },
  });
});

test('answers with the output, cost and trace of a completed run', async () => {
  const clock = new ManualClock(START_MS);
  const server = await openTestServer({ clock });
  const lease = await start(server, 'run_123');
  const call = { run_id: 'run_123', tool: 'fs.write', tool_call_id: 'tool-json-1' };
  await append(
    server,
    lease,
    { type: 'model.requested', payload: { provider: 'openrouter', model: 'openai/gpt-4o-mini' } },
    { type: 'tool.call', payload: { ...call, request_id: 'req_1', input: { path: 'Dockerfile' } } },
    {
      type: 'tool.result',
      payload: {
        ...call,
        request_id: 'req_1',
        ok: true,
        output: { lines: 24 },
        error: null,
        summary: 'wrote 24 line(s) to Dockerfile',
        duration_ms: 14,
      },
    },
    { type: 'tool.call', payload: { ...call, request_id: 'req_2', input: { path: '/etc/x' } } },
    {
      type: 'tool.result',
      payload: {
        ...call,
        request_id: 'req_2',
        tool_call_id: 'tool-json-2',
        ok: false,
        error: { code: 'policy.denied', message: 'write outside workspace' },
        summary: 'error: write outside workspace',
        duration_ms: 1,
      },
    },
  );
  clock.advance(42);
  await finish(server, lease);

  const answer = await server.call('/v1/runs/run_123');

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    id: 'run_123',
    agent_id: 'agent_default',
    source: 'http',
    status: 'completed',
    output: 'all done',
    artifact_path: '.openclawssy/agents/agent_default/runs/run_123',
    duration_ms: 42,
    tool_calls: 1,
    provider: 'openrouter',
    model: 'openai/gpt-4o-mini',
    message: 'hello',
    stop_reason: 'completed',
    usage: { input_tokens: 12, output_tokens: 7, cost_usd: null },
    created_at: '2026-02-15T00:00:00.000Z',
    updated_at: '2026-02-15T00:00:00.042Z',
    last_seq: 8,
    trace: {
      tool_execution_results: [
        {
          tool: 'fs.write',
          tool_call_id: 'tool-json-1',
          summary: 'wrote 24 line(s) to Dockerfile',
          output: '{"lines":24}',
          error: '',
          arguments: { path: 'Dockerfile' },
          duration_ms: 14,
        },
        {
          tool: 'fs.write',
          tool_call_id: 'tool-json-2',
          summary: 'error: write outside workspace',
          output: '',
          error: 'policy.denied: write outside workspace',
          arguments: { path: '/etc/x' },
          duration_ms: 1,
        },
      ],
    },
  });
});

test('answers with the error of a failed run', async () => {
  const server = await openTestServer();
  const lease = await start(server, 'run_1');
  await finish(server, lease, {
    status: 'failed',
    stopReason: 'failed',
    output: '',
    error: { code: 'provider_failed', message: 'model answered 503' },
    totals: { turns: 1, toolCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 },
  });

  const answer = await server.call('/v1/runs/run_1');

  expect(answer.body).toMatchObject({
    status: 'failed',
    stop_reason: 'failed',
    error: { code: 'provider_failed', message: 'model answered 503' },
  });
});

test('answers HEAD as GET without a body', async () => {
  const server = await openTestServer();
  await submit(server, 'run_1');
  const get = await server.call('/v1/runs/run_1');

  const head = await server.call('/v1/runs/run_1', { method: 'HEAD' });

  expect(head.status).toBe(200);
  expect(head.headers['content-length']).toBe(get.headers['content-length']);
  expect(head.text).toBe('');
});

test('answers 404 for a run that does not exist', async () => {
  const server = await openTestServer();

  const answer = await server.call('/v1/runs/run_missing');

  expect(answer.status).toBe(404);
  expect(answer.body).toEqual({
    error: { code: 'run.not_found', message: 'run run_missing does not exist' },
  });
});

const BAD_ID = 'run_id must be 1 to 128 letters, digits, _ or -';

test.each<[path: string, status: number, code: string, message: string]>([
  ['/v1/runs/..%2f..%2fetc', 400, 'invalid.request', BAD_ID],
  ['/v1/runs/a%00b', 400, 'invalid.request', BAD_ID],
  [`/v1/runs/${'x'.repeat(129)}`, 400, 'invalid.request', BAD_ID],
  [`/v1/runs/${'x'.repeat(2000)}`, 400, 'invalid.request', 'request path is too long'],
  ['/v1/runs/%zz', 400, 'invalid.request', 'request path is not a valid URL'],
  ['/v1/runs/%ff', 400, 'invalid.request', 'request path is not a valid URL'],
  ['/v1/runs/', 400, 'invalid.request', BAD_ID],
  ['/v1/runs/a/b', 404, 'route.not_found', 'route GET /v1/runs/a/b does not exist'],
  ['/v1/runs/run_1?full=1', 400, 'invalid.request', 'unknown query parameter: full'],
])('answers %s with %i in the envelope', async (path, status, code, message) => {
  const server = await openTestServer();

  const answer = await server.call(path);

  expect(answer.status).toBe(status);
  expect(answer.body).toEqual({ error: { code, message } });
  expect(answer.headers['x-request-id']).toMatch(/^req_/);
  expect((await server.call('/healthz')).status).toBe(200);
});
