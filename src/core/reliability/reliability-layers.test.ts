import { expect, test } from 'vitest';
import * as z from 'zod';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { passTime, settled } from '../../../test/support/pass-time.ts';
import type { AgentId, RequestId, RunId } from '../ids.ts';
import type { ToolOutcome } from '../tools/envelope.ts';
import { type Invoke, layered, type ToolCall } from '../tools/pipeline.ts';
import { defineTool, type ToolDefinition } from '../tools/tool.ts';
import { createReliability } from './create-reliability.ts';
import type { ReliabilityEvent } from './observer.ts';
import { createReliabilityLayers } from './reliability-layers.ts';
import type { ReliabilityMode } from './reliability-mode.ts';
import { type ReliabilityOverrides, resolveSettings } from './settings.ts';

type Definition = Partial<ToolDefinition<{ to: string }, { id: number }>>;

const busy: ToolOutcome = {
  ok: false,
  error: { code: 'provider_failed', message: 'busy', retryable: true },
};

function setUp(
  handler: Invoke,
  options: { mode?: () => ReliabilityMode; settings?: ReliabilityOverrides } = {},
) {
  const clock = new ManualClock();
  const events: ReliabilityEvent[] = [];
  const calls: ToolCall[] = [];
  const reliability = createReliability({
    clock,
    random: () => 0.5,
    observe: (event) => events.push(event),
  });
  const settings = resolveSettings(options.settings);
  const { deduplicate, breakCircuit, retry } = createReliabilityLayers({
    reliability,
    callerKeys: reliability.idempotency,
    mode: options.mode ?? (() => 'all'),
    settingsOf: () => settings,
  });
  const invoke = layered([deduplicate, breakCircuit, retry], (call) => {
    calls.push(call);
    return handler(call);
  });
  return { clock, events, calls, reliability, invoke };
}

function callOf(definition: Definition = {}, changes: Partial<ToolCall> = {}): ToolCall {
  const tool = defineTool({
    name: 'mail.send',
    description: 'Sends.',
    effect: 'write',
    input: z.object({ to: z.string() }),
    execute: async () => ({ id: 1 }),
    ...definition,
  });
  return {
    requestId: 'req_1' as RequestId,
    runId: 'run_1' as RunId,
    agentId: 'agent_default' as AgentId,
    principal: 'operator',
    callId: 'call_1',
    tool,
    input: { to: 'ada' },
    timeoutMs: 30_000,
    exposure: [],
    signal: new AbortController().signal,
    ...changes,
  };
}

function counting(): Invoke {
  let id = 0;
  return async () => {
    id += 1;
    return { ok: true, output: { id }, summary: `sent ${id}` };
  };
}

test('equal calls of one run are one call where the tool is declared dedupe-able', async () => {
  const { invoke, calls } = setUp(counting());
  const dedupe = { dedupe: true };

  const first = await invoke(callOf(dedupe));
  const second = await invoke(callOf(dedupe, { callId: 'call_2' }));
  const otherRun = await invoke(callOf(dedupe, { runId: 'run_2' as RunId }));
  const appended = [await invoke(callOf()), await invoke(callOf())];

  expect(first).toEqual({ ok: true, output: { id: 1 }, summary: 'sent 1' });
  expect(second).toEqual({ ok: true, output: { id: 1 }, summary: 'sent 1', fromCache: true });
  expect(otherRun).toMatchObject({ output: { id: 2 } });
  expect(appended).toMatchObject([{ output: { id: 3 } }, { output: { id: 4 } }]);
  expect(calls[0]?.idempotencyKey).toMatch(/^[0-9a-f]{64}$/);
});

test("a caller's key wins, and with other arguments it is a conflict", async () => {
  const { invoke } = setUp(counting());
  await invoke(callOf({}, { idempotencyKey: 'k' }));

  const replayed = await invoke(callOf({}, { idempotencyKey: 'k' }));
  const conflict = await invoke(callOf({}, { idempotencyKey: 'k', input: { to: 'bob' } }));

  expect(replayed).toMatchObject({ ok: true, output: { id: 1 }, fromCache: true });
  expect(conflict).toMatchObject({ ok: false, error: { code: 'conflict' } });
});

test('a read that fails for a moment is retried within what is left of its time', async () => {
  let attempts = 0;
  const { invoke, clock, calls } = setUp(
    async () => {
      attempts += 1;
      if (attempts < 3) return busy;
      return { ok: true, output: { attempts }, summary: '' };
    },
    { settings: { retry: { deadlineMs: 20_000 } } },
  );
  const ended = invoke(callOf({ effect: 'read' }));

  await passTime(clock, 2_000, 250);

  expect(await ended).toEqual({ ok: true, output: { attempts: 3 }, summary: '' });
  expect(calls.map(({ timeoutMs }) => timeoutMs)).toEqual([20_000, 19_750, 19_250]);
});

test('a failed write is retried only when it sends its key downstream', async () => {
  const plain = setUp(async () => busy);
  const keyed = setUp(async () => busy);

  await plain.invoke(callOf({ dedupe: true }));
  const retried = keyed.invoke(callOf({ dedupe: true, sendsKey: true }));
  await passTime(keyed.clock, 10_000, 250);
  await retried;

  expect(plain.calls).toHaveLength(1);
  expect(keyed.calls).toHaveLength(4);
  expect(new Set(keyed.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
});

test('five exhausted calls open the circuit, refusals are not counted', async () => {
  const denied: ToolOutcome = {
    ok: false,
    error: { code: 'policy_denied', message: 'no', retryable: false },
  };
  let outcome = denied;
  const { invoke, calls, clock } = setUp(async () => outcome);
  for (let call = 0; call < 6; call += 1) await invoke(callOf());

  outcome = busy;
  for (let call = 0; call < 5; call += 1) await invoke(callOf());
  const refused = await invoke(callOf());
  clock.advance(30_000);
  const trial = await invoke(callOf({ effect: 'read' }));

  expect(refused).toMatchObject({ ok: false, error: { code: 'circuit_open', retryable: true } });
  expect(trial).toEqual(busy);
  expect(calls).toHaveLength(12);
});

test('the outcome of a write that timed out is unknown for whoever asks again', async () => {
  const { invoke, calls } = setUp(async () => ({
    ok: false,
    error: {
      code: 'timeout',
      message: 'too slow',
      retryable: false,
      details: { effect: 'unknown' },
    },
  }));

  const first = await invoke(callOf({ dedupe: true }));
  const second = await invoke(callOf({ dedupe: true }));

  expect(first).toMatchObject({ error: { code: 'timeout' } });
  expect(second).toMatchObject({ error: { code: 'outcome_unknown' }, fromCache: true });
  expect(calls).toHaveLength(1);
});

test('a write whose result was too large to keep is not made again', async () => {
  const { invoke, calls } = setUp(
    async () => ({ ok: true, output: { text: 'x'.repeat(100) }, summary: '' }),
    { settings: { idempotency: { maxResultBytes: 50 } } },
  );
  await invoke(callOf({ dedupe: true }));

  const second = await invoke(callOf({ dedupe: true }));

  expect(second).toMatchObject({ ok: true, output: { already_done: true }, fromCache: true });
  expect(calls).toHaveLength(1);
});

test('switched off, the same call object reaches the handler and nothing is kept', async () => {
  let mode: ReliabilityMode = 'off';
  const { invoke, calls, reliability, events } = setUp(async () => busy, { mode: () => mode });
  const call = callOf({ dedupe: true });

  const outcomes = [await invoke(call), await invoke(call)];
  mode = 'read_only';
  outcomes.push(await invoke(call));

  expect(outcomes).toEqual([busy, busy, busy]);
  expect(calls.every((given) => given === call)).toBe(true);
  expect([events, reliability.breakers.list()]).toEqual([[], []]);
});

test('shadow lets calls through untouched and reports what it would have done', async () => {
  const { invoke, calls, events } = setUp(counting(), { mode: () => 'shadow' });
  const call = callOf({ dedupe: true });

  await invoke(call);
  await settled();
  const second = await invoke(call);
  await settled();

  expect(second).toEqual({ ok: true, output: { id: 2 }, summary: 'sent 2' });
  expect(calls.every((given) => given === call)).toBe(true);
  expect(events).toMatchObject([{ type: 'shadow.decided', decision: 'would_replay' }]);
});

test('shadow is not felt when a call has no key to be known by', async () => {
  const { invoke } = setUp(counting(), { mode: () => 'shadow' });
  const input = { to: 1n } as never;

  const outcome = await invoke(callOf({ dedupe: true }, { input }));

  expect(outcome).toMatchObject({ ok: true, output: { id: 1 } });
});

test('a call given up for a shutdown is not remembered as failed when it may be made again', async () => {
  const codes = ['shutting_down', 'lost_lease'] as const;
  for (const code of codes) {
    let attempts = 0;
    const { invoke } = setUp(async () => {
      attempts += 1;
      if (attempts > 1) return { ok: true, output: {}, summary: '' };
      return { ok: false, error: { code, message: 'going', retryable: false } };
    });
    const call = callOf({ sendsKey: true }, { idempotencyKey: 'req_1' });

    await invoke(call);

    expect(await invoke(call)).toEqual({ ok: true, output: {}, summary: '' });
  }
});
