import { expect, test } from 'vitest';
import * as z from 'zod';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { RuntimeError } from '../errors.ts';
import type { AgentId, RequestId, RunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import { createRedactor } from '../redact/create-redactor.ts';
import type { TraceContext } from '../trace-context.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { createToolLayers } from './layers.ts';
import { createToolPipeline, type Layer, type ToolCall } from './pipeline.ts';
import { asCalled, defineTool, type ToolContext, type ToolDefinition } from './tool.ts';

const passOn: Layer = (call, next) => next(call);
const refuse = async (): Promise<never> => {
  throw new RuntimeError('storage_unavailable', 'the disk is full');
};
const noArtifacts: ArtifactStore = { put: refuse, read: refuse };

function setUp(tracer: { current?: () => TraceContext | undefined } = {}) {
  const clock = new ManualClock();
  const policy = {
    decide: async () => ({ decision: 'allow' as const, reason: 'test' }),
    isGranted: () => true,
  };
  const redactor = createRedactor({ secrets: () => [] });
  const layers = createToolLayers({
    policy,
    artifacts: noArtifacts,
    redactor,
    clock,
    maxOutputBytes: () => 1_000,
  });
  const reliability = { deduplicate: passOn, breakCircuit: passOn, retry: passOn };
  return { clock, invoke: createToolPipeline({ ...layers, ...reliability }, { clock, tracer }) };
}

function callOf(
  definition: Partial<ToolDefinition<JsonObject, JsonObject>>,
  changes: Partial<ToolCall> = {},
): ToolCall {
  const tool = defineTool<JsonObject, JsonObject>({
    name: 'mail.send',
    description: 'sends',
    effect: 'write',
    input: z.record(z.string(), z.json()) as z.ZodType<JsonObject>,
    execute: async () => ({}),
    ...definition,
  });
  return {
    requestId: 'req_1' as RequestId,
    runId: 'run_1' as RunId,
    agentId: 'agent_default' as AgentId,
    principal: 'operator',
    callId: 'call_1',
    tool,
    input: {},
    timeoutMs: 1_000,
    exposure: [],
    signal: new AbortController().signal,
    ...changes,
  };
}

test('a call that ended while its intent was written is not made afterwards', async () => {
  const { invoke } = setUp();
  const control = new AbortController();
  let calls = 0;
  let write = () => {};
  const written = new Promise<void>((resolve) => {
    write = resolve;
  });
  const execute = async () => {
    calls += 1;
    return {};
  };
  const call = callOf({ execute }, { signal: control.signal, onSend: () => written });

  const made = invoke(call);
  await Promise.resolve();
  control.abort(new RuntimeError('cancelled', 'enough'));
  const outcome = await made;
  write();
  await new Promise((resolve) => setImmediate(resolve));

  expect(outcome).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(calls).toBe(0);
});

test('a call whose intent could not be written had no effect, and says so', async () => {
  const { invoke } = setUp();
  const onSend = async () => {
    throw new RuntimeError('lost_lease', 'gone');
  };

  const outcome = await invoke(callOf({}, { onSend }));

  expect(outcome).toMatchObject({ error: { code: 'lost_lease', details: { effect: 'none' } } });
});

test('a call that succeeded has succeeded, also when its summary or its artifact can not be made', async () => {
  const { invoke } = setUp();
  const content = 'x'.repeat(2_000);
  const summarize = () => {
    throw new Error('no words');
  };

  const outcome = await invoke(callOf({ summarize, execute: async () => ({ content }) }));

  expect(outcome).toEqual({
    ok: true,
    summary: '',
    output: {
      truncated: true,
      bytes: 2_014,
      excerpt: content,
      note: 'the call was made; the rest of its result is lost',
    },
  });
});

test('a handler is told the trace it is part of, and nothing when there is none', async () => {
  const seen: object[] = [];
  const execute = async (_input: JsonObject, ctx: ToolContext) => {
    const { traceparent, tracestate, callerRequestId } = ctx;
    seen.push({ traceparent, tracestate, callerRequestId });
    return {};
  };
  const trace = { traceparent: '00-a-b-01', tracestate: 'v=1', requestId: 'req-7' };

  await setUp({ current: () => trace }).invoke(callOf({ execute }));
  await setUp().invoke(callOf({ execute }));

  expect(seen).toEqual([
    { traceparent: '00-a-b-01', tracestate: 'v=1', callerRequestId: 'req-7' },
    {
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
      tracestate: undefined,
      callerRequestId: undefined,
    },
  ]);
});

test('what a call does to the world is told by its repaired arguments', () => {
  const { tool } = callOf({
    repair: ({ verb, ...rest }) => (verb === undefined ? rest : { ...rest, method: verb }),
    natureOf: ({ method }) =>
      method === 'POST'
        ? { effect: 'write', idempotent: false, sendsKey: false }
        : { effect: 'read', idempotent: true, sendsKey: false },
  });

  expect(asCalled(tool, { verb: 'POST' }).effect).toBe('write');
});
