import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import type { Event } from '../../src/core/events/event.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { defineTool, type Tool, type ToolEffect } from '../../src/core/tools/tool.ts';
import type { ScriptInput } from '../../src/providers/scripted/script.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { openTempRoot } from '../support/temp-root.ts';

const open: TestRuntime[] = [];
const CONFIG = { tools: { granted: ['*'] } };

afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.dispose()));
});

async function openWith(script: ScriptInput, tools: readonly Tool[] = [], root?: string) {
  const model = createScriptedModel(script);
  const options = root === undefined ? {} : { root };
  const runtime = await openTestRuntime(model, { config: CONFIG, tools, ...options });
  open.push(runtime);
  return { runtime, model };
}

/** Tools that say when they begin, and end when they are told to. */
function createGates() {
  const running = new Set<string>();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  let most = 0;
  const define = (name: string, effect: ToolEffect): Tool =>
    defineTool<{ id: string }, JsonObject>({
      name,
      description: name,
      effect,
      input: z.object({ id: z.string() }),
      async execute({ id }, { signal }) {
        begun.push(id);
        running.add(id);
        most = Math.max(most, running.size);
        await new Promise<void>((resolve) => {
          ends.set(id, resolve);
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
        running.delete(id);
        if (signal.aborted) throw signal.reason;
        return { id };
      },
    });
  return {
    tools: [define('gate.read', 'read'), define('gate.write', 'write')],
    begun,
    most: () => most,
    running: () => [...running],
    end: (id: string) => ends.get(id)?.(),
  };
}

const call = (tool: string, id: string) => ({ tool, input: { id }, callId: id });
const callsOf = (events: readonly Event[]) =>
  events
    .filter(({ type }) => type === 'tool.call' || type === 'tool.result')
    .map(({ type, payload }) => `${type.slice(5)} ${String(payload['tool_call_id'])}`);

test('arguments that are not JSON are answered as a failed call, and the model does better', async () => {
  const { runtime, model } = await openWith({
    steps: [
      { toolCalls: [{ tool: 'time.now', callId: 'a', malformed: '{"zone": "UTC"' }] },
      { toolCalls: [{ tool: 'time.now', callId: 'b' }] },
      { text: 'done' },
    ],
  });

  const run = await runtime.ask('what time is it');

  expect(run).toMatchObject({ status: 'completed', output: 'done', totals: { toolCalls: 2 } });
  const events = await runtime.events(run.id);
  const [called] = events.filter(({ type }) => type === 'tool.call');
  const [failed] = events.filter(({ type }) => type === 'tool.result');
  expect(called?.payload).toMatchObject({ input: {}, malformed_input: '{"zone": "UTC"' });
  expect(failed?.payload).toMatchObject({
    ok: false,
    error: { code: 'tool.input_invalid', retryable: false, details: { reason: 'not_json' } },
  });
  expect(events.filter(({ type }) => type === 'model.requested')).toHaveLength(3);
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    role: 'tool',
    callId: 'a',
    ok: false,
    text: expect.stringContaining('They were: {"zone": "UTC"'),
  });
});

test.each([
  ['length', /^Once upon\n\n\[Stopped: the model reached its output limit of \d+ tokens\..*\]$/],
  [
    'content_filter',
    /^Once upon\n\n\[Stopped: the provider's content filter ended the answer\.\]$/,
  ],
] as const)(
  'an answer that ends by %s says so and has that stop reason',
  async (finish, output) => {
    const { runtime } = await openWith({
      steps: [
        {
          text: 'Once upon',
          finish,
          // What it asks for may be half.
          toolCalls: [{ tool: 'time.now' }],
        },
      ],
    });

    const run = await runtime.ask('tell me a story');

    expect(run).toMatchObject({
      status: 'completed',
      stopReason: finish,
      totals: { toolCalls: 0 },
    });
    expect(run.output).toMatch(output);
    const events = await runtime.events(run.id);
    const streamed = events.filter(({ type }) => type === 'model.delta');
    expect(streamed.map(({ payload }) => payload['text']).join('')).toBe(run.output);
    expect(events.at(-1)?.payload).toMatchObject({ stop_reason: finish });
  },
);

test('tokens of attempts without an answer are counted: none for a refusal, unknown for a cut', async () => {
  const usage = { inputTokens: 7, outputTokens: 3 };
  const refused = await openWith({
    steps: [{ error: { status: 503, times: 1 }, text: 'ok', usage }],
  });
  const broken = await openWith({ steps: [{ error: { times: 1 }, text: 'ok', usage }] });
  const unsaid = await openWith({
    steps: [{ text: 'ok', usage: { inputTokens: null, outputTokens: null } }],
  });

  const runs = [
    await refused.runtime.ask('go'),
    await broken.runtime.ask('go'),
    await unsaid.runtime.ask('go'),
  ];

  expect(runs.map(({ totals }) => [totals.inputTokens, totals.outputTokens])).toEqual([
    [7, 3],
    [null, null],
    [null, null],
  ]);
  const events = await broken.runtime.events(runs[1]?.id ?? ('' as never));
  expect(events.find(({ type }) => type === 'model.failed')?.payload).toEqual({
    turn: 1,
    attempt: 1,
    error: { code: 'provider_failed', message: 'scripted failure', retryable: true },
    usage: { input_tokens: null, output_tokens: null },
    cost_usd: null,
  });
});

test('a turn that is cancelled in the middle has spent what nobody knows', async () => {
  const { runtime } = await openWith({ steps: [{ text: 'half', hang: true }] });
  const run = await runtime.submit('go');
  await expect
    .poll(async () => (await runtime.events(run.id)).map(({ type }) => type), { timeout: 10_000 })
    .toContain('model.requested');

  await runtime.runs.cancel({ runId: run.id, reason: 'enough', actor: 'user' });
  const ended = await runtime.awaitEnd(run.id);

  expect(ended).toMatchObject({
    status: 'cancelled',
    totals: { inputTokens: null, outputTokens: null, costUsd: null },
  });
});

test('calls that read run at the same time, at most four; a write waits for those before it', async () => {
  const gates = createGates();
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const toolCalls = [...ids.map((id) => call('gate.read', id)), call('gate.write', 'w')];
  const { runtime } = await openWith({ steps: [{ toolCalls }, { text: 'done' }] }, gates.tools);
  const run = await runtime.submit('go');
  const awaitRunning = (expected: readonly string[]) =>
    expect.poll(gates.running, { timeout: 10_000 }).toEqual(expected);

  await awaitRunning(['a', 'b', 'c', 'd']);
  for (const id of ['d', 'c', 'b', 'a']) gates.end(id);
  await awaitRunning(['e', 'f']);
  for (const id of ['f', 'e']) gates.end(id);
  await awaitRunning(['w']);
  gates.end('w');
  const ended = await runtime.awaitEnd(run.id);

  expect(ended).toMatchObject({ status: 'completed', totals: { toolCalls: 7 } });
  expect(gates.most()).toBe(4);
  expect(callsOf(await runtime.events(run.id))).toEqual([
    ...['call a', 'call b', 'call c', 'call d', 'result a', 'result b', 'result c', 'result d'],
    ...['call e', 'call f', 'result e', 'result f', 'call w', 'result w'],
  ]);
});

test('a cancel ends all calls that are under way', async () => {
  const gates = createGates();
  const toolCalls = ['a', 'b', 'c'].map((id) => call('gate.read', id));
  const { runtime } = await openWith({ steps: [{ toolCalls }] }, gates.tools);
  const run = await runtime.submit('go');
  await expect.poll(gates.running, { timeout: 10_000 }).toEqual(['a', 'b', 'c']);

  await runtime.runs.cancel({ runId: run.id, reason: 'enough', actor: 'user' });
  const ended = await runtime.awaitEnd(run.id);

  expect(ended.status).toBe('cancelled');
  expect(gates.running()).toEqual([]);
  const events = await runtime.events(run.id);
  expect(callsOf(events).slice(3)).toEqual(['result a', 'result b', 'result c']);
});

test('calls that were under way when the process ended are made again, each with one result', async () => {
  const root = await openTempRoot();
  const toolCalls = ['a', 'b', 'c'].map((id) => call('gate.read', id));
  const script = { steps: [{ toolCalls }, { text: 'done' }] };
  const before = createGates();
  const first = await openWith(script, before.tools, root.path);
  const run = await first.runtime.submit('go');
  await expect.poll(before.running, { timeout: 10_000 }).toEqual(['a', 'b', 'c']);
  await first.runtime.close({ graceMs: 0 });

  const after = createGates();
  const second = await openWith(script, after.tools, root.path);
  for (const id of ['a', 'b', 'c']) {
    await expect.poll(after.running, { timeout: 10_000 }).toEqual([id]);
    after.end(id);
  }
  const ended = await second.runtime.awaitEnd(run.id);

  expect(ended).toMatchObject({ status: 'completed', output: 'done', totals: { toolCalls: 3 } });
  expect(callsOf(await second.runtime.events(run.id))).toEqual([
    ...['call a', 'call b', 'call c', 'result a', 'result b', 'result c'],
  ]);
});

test('a cost limit holds for what is known, also after an attempt that nobody has a price for', async () => {
  const step = {
    toolCalls: [{ tool: 'fs.list', input: { path: '.' } }],
    usage: { inputTokens: 1_000, outputTokens: 100 },
  };
  const steps = [{ ...step, error: { times: 1 } }, step, step, step];
  const runtime = await openTestRuntime(createScriptedModel({ steps }), {
    config: {
      ...CONFIG,
      prices: { 'scripted/test': { input_per_million: 1, output_per_million: 10 } },
      engine: { max_run_cost_usd: 0.004 },
    },
  });
  open.push(runtime);

  const run = await runtime.ask('go');

  expect(run).toMatchObject({
    status: 'failed',
    stopReason: 'max_budget_reached',
    totals: { turns: 2, costUsd: null },
    error: { message: 'the run cost 0.0040 of 0.004 USD' },
  });
});
