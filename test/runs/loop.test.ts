import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Event } from '../../src/core/events/event.ts';
import type { ScriptInput } from '../../src/providers/scripted/script.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';

const open: TestRuntime[] = [];

async function openWith(script: ScriptInput, config?: object): Promise<TestRuntime> {
  const runtime = await openTestRuntime(createScriptedModel(script), config ? { config } : {});
  open.push(runtime);
  return runtime;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.dispose()));
});

const typesOf = (events: readonly Event[]) =>
  events.map((event) => event.type).filter((type) => type !== 'model.delta');

test('a message becomes an answer, with every step on record in order', async () => {
  const runtime = await openWith({
    steps: [{ text: ['Hello ', 'there'], usage: { inputTokens: 12, outputTokens: 3 } }],
  });

  const run = await runtime.ask('hi');

  expect(run).toMatchObject({
    status: 'completed',
    stopReason: 'completed',
    output: 'Hello there',
    provider: 'scripted',
    model: 'test',
    totals: { turns: 1, toolCalls: 0, inputTokens: 12, outputTokens: 3, costUsd: null },
  });
  const events = await runtime.events(run.id);
  expect(typesOf(events)).toEqual([
    'run.created',
    'run.started',
    'model.requested',
    'model.completed',
    'run.completed',
  ]);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  const streamed = events.filter((event) => event.type === 'model.delta');
  expect(streamed.map((event) => event.payload['text']).join('')).toBe('Hello there');
});

test('tool calls are made in order, their results reach the model, and the file is there', async () => {
  const model = createScriptedModel({
    steps: [
      { toolCalls: [{ tool: 'fs.write', input: { path: 'a.txt', content: 'one' }, callId: 'w' }] },
      { toolCalls: [{ tool: 'fs.read', input: { path: 'a.txt' }, callId: 'r' }] },
      { text: 'done' },
    ],
  });
  const runtime = await openTestRuntime(model);
  open.push(runtime);

  const run = await runtime.ask('write then read');

  expect(run).toMatchObject({
    status: 'completed',
    output: 'done',
    totals: { turns: 3, toolCalls: 2 },
  });
  expect(await readFile(join(runtime.root, 'workspace/a.txt'), 'utf8')).toBe('one');
  expect(typesOf(await runtime.events(run.id))).toEqual([
    'run.created',
    'run.started',
    'model.requested',
    'model.completed',
    'tool.call',
    'tool.result',
    'model.requested',
    'model.completed',
    'tool.call',
    'tool.result',
    'model.requested',
    'model.completed',
    'run.completed',
  ]);
  expect(model.requests.at(-1)?.messages.map((message) => message.role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'tool',
  ]);
});

test('tool.call and tool.result carry the contract envelopes', async () => {
  const runtime = await openWith({
    steps: [
      { toolCalls: [{ tool: 'fs.read', input: { path: 'gone.txt' }, callId: 'r' }] },
      { text: 'no file' },
    ],
  });

  const run = await runtime.ask('read it');

  const events = await runtime.events(run.id);
  const call = events.find((event) => event.type === 'tool.call')?.payload;
  const result = events.find((event) => event.type === 'tool.result')?.payload;
  expect(call).toEqual({
    request_id: expect.stringMatching(/^req_/),
    run_id: run.id,
    agent_id: 'agent_default',
    tool: 'fs.read',
    tool_call_id: 'r',
    input: { path: 'gone.txt' },
    timeout_ms: 30_000,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    effect: 'read',
  });
  expect(result).toMatchObject({
    request_id: call?.['request_id'],
    run_id: run.id,
    tool: 'fs.read',
    ok: false,
    error: { code: 'tool.input_invalid', retryable: false, details: { path: 'gone.txt' } },
  });
  expect(result?.['output']).toBeUndefined();
});

test('a path outside the workspace is denied, and the denial is an event of its own', async () => {
  const runtime = await openWith({
    steps: [
      { toolCalls: [{ tool: 'fs.read', input: { path: '../../etc/passwd' }, callId: 'p' }] },
      { text: 'refused' },
    ],
  });

  const run = await runtime.ask('read the password file');

  const events = await runtime.events(run.id);
  expect(events.find((event) => event.type === 'policy.decision')?.payload).toMatchObject({
    decision: 'deny',
    tool: 'fs.read',
    tool_call_id: 'p',
    details: { path: '../../etc/passwd' },
  });
  expect(events.find((event) => event.type === 'tool.result')?.payload['error']).toMatchObject({
    code: 'policy.denied',
  });
});

test('a tool that is not granted is denied, one that does not exist is not found', async () => {
  const runtime = await openWith(
    {
      steps: [
        {
          toolCalls: [
            { tool: 'fs.write', input: { path: 'x', content: 'y' }, callId: 'a' },
            { tool: 'no.such', input: {}, callId: 'b' },
          ],
        },
        { text: 'ok' },
      ],
    },
    { tools: { granted: ['fs.read'] } },
  );

  const run = await runtime.ask('go');

  const results = (await runtime.events(run.id)).filter((event) => event.type === 'tool.result');
  expect(results.map((event) => event.payload['error'])).toMatchObject([
    { code: 'policy.denied', details: { reason: 'capability_missing' } },
    { code: 'tool.not_found' },
  ]);
});

test('after two failures the model is told to recover; three more hand the run back', async () => {
  const fail = (path: string) => ({ toolCalls: [{ tool: 'fs.read', input: { path } }] });
  const model = createScriptedModel({ steps: ['a', 'b', 'c', 'd', 'e', 'f'].map(fail) });
  const runtime = await openTestRuntime(model);
  open.push(runtime);

  const run = await runtime.ask('find the file');

  expect(run).toMatchObject({
    status: 'completed',
    stopReason: 'needs_guidance',
    totals: { toolCalls: 5 },
  });
  expect(run.output).toContain('Goal: find the file');
  expect(run.output).toContain('1. fs.read {"path":"a"}');
  expect(run.output).toContain('5. fs.read {"path":"e"}');
  expect(model.requests.map((request) => request.system.includes('ERROR_RECOVERY_MODE'))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});

test('the same call with the same result four times ends the run with an explanation', async () => {
  const step = { toolCalls: [{ tool: 'fs.list', input: { path: '.' } }] };
  const runtime = await openWith({ steps: [step, step, step, step, { text: 'never asked' }] });

  const run = await runtime.ask('look around');

  expect(run).toMatchObject({
    status: 'completed',
    stopReason: 'loop_detected',
    totals: { turns: 4 },
  });
  expect(run.output).toContain('fs.list');
});

test('limits on turns and tokens end the run with the reason', async () => {
  const steps = Array.from({ length: 5 }, (_, index) => ({
    text: `step ${index}`,
    toolCalls: [{ tool: 'fs.list', input: { path: '.' } }],
    usage: { inputTokens: 60, outputTokens: 0 },
  }));
  const byTurns = await openWith({ steps }, { engine: { max_turns: 2 } });
  const byTokens = await openWith({ steps }, { engine: { max_run_tokens: 100 } });

  expect(await byTurns.ask('go')).toMatchObject({
    status: 'failed',
    stopReason: 'max_turns_reached',
    error: { code: 'limit_reached', message: 'the run used its 2 model turns' },
    output: 'step 1\n\nStopped: the run used its 2 model turns.',
  });
  expect(await byTokens.ask('go')).toMatchObject({
    status: 'failed',
    stopReason: 'max_budget_reached',
    error: { message: 'the run used 120 of 100 tokens' },
  });
});

test('a known price is summed over turns and a cost limit ends the run', async () => {
  const steps = Array.from({ length: 4 }, () => ({
    toolCalls: [{ tool: 'fs.list', input: { path: '.' } }],
    usage: { inputTokens: 1_000, outputTokens: 100 },
  }));
  const prices = { 'scripted/test': { input_per_million: 1, output_per_million: 10 } };
  const runtime = await openWith({ steps }, { prices, engine: { max_run_cost_usd: 0.004 } });

  const run = await runtime.ask('go');

  expect(run.totals.costUsd).toBeCloseTo(0.004, 10);
  expect(run).toMatchObject({
    status: 'failed',
    stopReason: 'max_budget_reached',
    totals: { turns: 2 },
  });
});

test('a run that takes too long fails as a timeout', async () => {
  const runtime = await openWith(
    { steps: [{ text: 'thinking', hang: true }] },
    { engine: { default_run_timeout_ms: 1000 } },
  );

  const run = await runtime.ask('go');

  expect(run).toMatchObject({
    status: 'failed',
    stopReason: 'timeout',
    error: { code: 'timeout' },
  });
});

test('a failing provider is retried for 503 and a cut stream, never for 400', async () => {
  const flaky = await openWith({
    steps: [{ error: { status: 503, times: 1, retryAfterMs: 1 }, text: 'back' }],
  });
  const refused = await openWith({ steps: [{ error: { status: 400, message: 'bad request' } }] });
  const cut = createScriptedModel({
    steps: [
      { toolCalls: [{ tool: 'fs.write', input: { path: 'half', content: 'x' } }], cut: true },
    ],
  });
  const broken = await openTestRuntime(cut, { config: { model: { max_retries: 1 } } });
  open.push(broken);

  const [back, failed, ended] = await Promise.all([
    flaky.ask('go'),
    refused.ask('go'),
    broken.ask('go'),
  ]);

  expect(back).toMatchObject({ status: 'completed', output: 'back' });
  const attempts = (await flaky.events(back.id)).filter(
    (event) => event.type === 'model.requested',
  );
  expect(attempts.map((event) => event.payload['attempt'])).toEqual([1, 2]);
  expect(failed).toMatchObject({
    status: 'failed',
    error: { code: 'provider_failed', message: 'bad request' },
  });
  expect(ended).toMatchObject({ status: 'failed', totals: { toolCalls: 0 } });
  expect(cut.requests).toHaveLength(2);
  await expect(readFile(join(broken.root, 'workspace/half'))).rejects.toThrow('ENOENT');
});

test('a message that starts with /tool runs the tool without a model', async () => {
  const model = createScriptedModel({ steps: [] });
  const runtime = await openTestRuntime(model);
  open.push(runtime);
  await writeFile(join(runtime.root, 'workspace/note.txt'), 'hello');

  const run = await runtime.ask('/tool fs.read {"path":"note.txt"}');
  const bad = await runtime.ask('/tool fs.read {oops');

  expect(run).toMatchObject({ status: 'completed', totals: { turns: 0, toolCalls: 1 } });
  expect(run.output).toBe('fs.read: {"content":"hello","path":"note.txt","truncated":false}');
  expect(bad).toMatchObject({ status: 'failed', error: { code: 'invalid_input' } });
  expect(model.requests).toEqual([]);
});

test('text models call tools in fenced blocks', async () => {
  const model = createScriptedModel({
    toolCalls: 'text',
    steps: [
      { text: 'Let me look.\n```tool\n{"tool_name":"fs.list","arguments":{"path":"."}}\n```' },
      { text: 'nothing there' },
    ],
  });
  const runtime = await openTestRuntime(model);
  open.push(runtime);

  const run = await runtime.ask('look');

  expect(run).toMatchObject({ output: 'nothing there', totals: { toolCalls: 1 } });
  const completed = (await runtime.events(run.id)).find(
    (event) => event.type === 'model.completed',
  );
  expect(completed?.payload['tool_calls']).toEqual([
    { id: 'tool-json-1', tool: 'fs.list', input: { path: '.' } },
  ]);
});

test('large output goes to an artifact; log and model get an excerpt', async () => {
  const runtime = await openWith(
    { steps: [{ toolCalls: [{ tool: 'fs.read', input: { path: 'big.txt' } }] }, { text: 'read' }] },
    { tools: { max_output_bytes: 2048 } },
  );
  const big = 'line of text\n'.repeat(1_000);
  await writeFile(join(runtime.root, 'workspace/big.txt'), big);

  const run = await runtime.ask('read it');

  const result = (await runtime.events(run.id)).find(
    (event) => event.type === 'tool.result',
  )?.payload;
  expect(result?.['output']).toMatchObject({ truncated: true, excerpt: big.slice(0, 4_000) });
  const artifact = result?.['artifact'] as { path: string; bytes: number };
  expect(await readFile(join(runtime.root, artifact.path), 'utf8')).toBe(big);
});

test('a model pages through a large output of its own run, and of no other', async () => {
  const big = 'päge by päge 🦀\n'.repeat(1_000);
  const runtime = await openWith(
    { steps: [{ toolCalls: [{ tool: 'fs.read', input: { path: 'big.txt' } }] }, { text: 'read' }] },
    { tools: { max_output_bytes: 2048 } },
  );
  await writeFile(join(runtime.root, 'workspace/big.txt'), big);
  const run = await runtime.ask('read it');
  const result = (await runtime.events(run.id)).find(
    (event) => event.type === 'tool.result',
  )?.payload;
  const path = String((result?.['artifact'] as { path: string } | undefined)?.path);
  const tool = runtime.registry.find('artifact.read');
  const read = (runId: typeof run.id, artifact: string, offset: number) =>
    tool?.execute(
      { artifact, offset, max_bytes: 1001 },
      {
        ...{ runId, agentId: run.agentId, principal: run.owner, callId: 'c' },
        signal: AbortSignal.timeout(5_000),
      },
    );

  let text = '';
  for (let offset: unknown = 0; typeof offset === 'number'; ) {
    const piece = await read(run.id, path, offset);
    text += String(piece?.['content']);
    offset = piece?.['next_offset'];
  }

  expect(text).toBe(big);
  const other = 'run_other' as typeof run.id;
  await expect(read(other, path, 0)).rejects.toMatchObject({ code: 'not_found' });
  await expect(read(run.id, `${path}/../../../../token`, 0)).rejects.toMatchObject({
    code: 'not_found',
  });
});
