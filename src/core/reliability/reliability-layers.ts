import { defined } from '../defined.ts';
import type { JsonObject } from '../json.ts';
import type { ToolOutcome } from '../tools/envelope.ts';
import type { Invoke, Layer, ToolCall } from '../tools/pipeline.ts';
import { circuitOf, type Tool } from '../tools/tool.ts';
import type { Reliability } from './create-reliability.ts';
import {
  type Attempt,
  isRepeatable,
  leavesEffectUnknown,
  type Repeatability,
  toCallResult,
} from './fault.ts';
import { circuitOpen } from './guard-call.ts';
import { type IdempotencyManager, isOwnedBy } from './idempotency/idempotency-manager.ts';
import { deriveKey, digestPayload } from './idempotency/key-digests.ts';
import { type DedupedOutcome, replay } from './idempotency/replay-record.ts';
import { isGuarded, type ReliabilityMode } from './reliability-mode.ts';
import { withRetry } from './retry-policy.ts';
import type { ReliabilitySettings } from './settings.ts';

export interface ReliabilityLayersDeps {
  readonly reliability: Reliability;
  /**
   * Calls that came with a caller's key. They are promised once whatever the mode is and whatever becomes of the store in
   * front, so this one keeps them with the runs.
   */
  readonly callerKeys: IdempotencyManager;
  /** Read at every call. */
  readonly mode: () => ReliabilityMode;
  readonly settingsOf: (tool: Tool) => ReliabilitySettings;
}

export interface ReliabilityLayers {
  readonly deduplicate: Layer;
  readonly breakCircuit: Layer;
  readonly retry: Layer;
  /** What is on record about a call that was sent at that time; undefined when nothing is. Nothing is called. */
  readonly recall: (call: ToolCall, sentAtMs: number) => Promise<ToolOutcome | undefined>;
}

/** The reliability layer as layers of the tool pipeline, in the order they are named. */
export function createReliabilityLayers(deps: ReliabilityLayersDeps): ReliabilityLayers {
  const trials = new WeakSet<ToolCall>();
  return {
    deduplicate: deduplicate(deps),
    breakCircuit: breakCircuit(deps, trials),
    retry: retry(deps, trials),
    recall: (call, sentAtMs) => recall(deps, call, sentAtMs),
  };
}

/** Outermost, so it is also where the shadow stands: it sees the call as it would be made without the layers. */
function deduplicate(deps: ReliabilityLayersDeps): Layer {
  return async (call, next) => {
    if (call.callerKey !== undefined) return once(deps, { call, key: call.callerKey }, next);
    const mode = deps.mode();
    if (mode === 'shadow') return shadow(deps, call, next(call));
    if (!isGuarded(mode, call.tool.effect)) return next(call);
    const key = keyOf(deps, call);
    return key === undefined
      ? next(call)
      : once(deps, { call: { ...call, idempotencyKey: key }, key }, next);
  };
}

async function once(
  deps: ReliabilityLayersDeps,
  { call, key }: { readonly call: ToolCall; readonly key: string },
  next: Invoke,
): Promise<ToolOutcome> {
  const outcome = await managerOf(deps, call).run(
    {
      toolId: call.tool.name,
      key,
      digest: digestPayload(call.input),
      isRepeatable: isRepeatable(repeatabilityOf(call)),
      policy: deps.settingsOf(call.tool).idempotency,
      signal: call.signal,
      owner: call.requestId,
    },
    async () => toAttempt(await next(call)),
  );
  return toOutcome(outcome);
}

function managerOf(deps: ReliabilityLayersDeps, call: ToolCall): IdempotencyManager {
  return call.callerKey === undefined ? deps.reliability.idempotency : deps.callerKeys;
}

/** Outside the retries: one exhausted call is one failure, not four. */
function breakCircuit(deps: ReliabilityLayersDeps, trials: WeakSet<ToolCall>): Layer {
  return async (call, next) => {
    const { tool } = call;
    if (!isGuarded(deps.mode(), tool.effect)) return next(call);
    const breaker = deps.reliability.breakers.of(circuitOf(tool), deps.settingsOf(tool).breaker);
    const asked = breaker.admit();
    const admission = asked instanceof Promise ? await asked : asked;
    if (!admission.admitted) return { ok: false, error: circuitOpen(tool.name, admission) };
    if (admission.trialId === undefined) {
      const outcome = await next(call);
      breaker.settle(admission, toResult(outcome));
      return outcome;
    }
    const trial = { ...call };
    trials.add(trial);
    const outcome = await next(trial);
    breaker.settle(admission, toResult(outcome));
    return outcome;
  };
}

function retry(deps: ReliabilityLayersDeps, trials: WeakSet<ToolCall>): Layer {
  return async (call, next) => {
    const { tool } = call;
    if (!isGuarded(deps.mode(), tool.effect)) return next(call);
    const { clock, random, breakers, observe } = deps.reliability;
    const toolId = tool.name;
    const attempt = traced(deps, keepingDoubt(next));
    // A trial asks whether the service is back. Its failure is the answer, and not to be repeated.
    if (trials.has(call)) return attempt(1, call);
    return withRetry<ToolOutcome>({
      policy: deps.settingsOf(tool).retry,
      tool: repeatabilityOf(call),
      clock,
      random,
      signal: call.signal,
      mayContinue: () => breakers.find(circuitOf(tool))?.isOpen !== true,
      onRetry: (notice) =>
        observe({
          type: 'call.retried',
          toolId,
          attempt: notice.attempt,
          delayMs: notice.delayMs,
          errorCode: notice.fault.code,
        }),
      faultOf: (outcome) => (outcome.ok ? undefined : outcome.error),
      attempt: (number, remainingMs) =>
        attempt(number, remainingMs < call.timeoutMs ? { ...call, timeoutMs: remainingMs } : call),
    });
  };
}

/** Why the last attempt failed says nothing about what an earlier one did that was cut off. */
function keepingDoubt(next: Invoke): Invoke {
  let isDoubtful = false;
  return async (call) => {
    const ended = await next(call);
    if (ended.ok || call.tool.effect !== 'write') return ended;
    if (isDoubtful) {
      const details = { ...ended.error.details, effect: 'unknown' };
      return { ...ended, error: { ...ended.error, details } };
    }
    isDoubtful = leavesEffectUnknown(ended.error);
    return ended;
  };
}

/** Each attempt in a span of its own, where anybody traces. */
function traced({ reliability }: ReliabilityLayersDeps, next: Invoke) {
  const { tracer } = reliability;
  return (attempt: number, call: ToolCall): Promise<ToolOutcome> => {
    if (!tracer) return next(call);
    return tracer.span('tool_attempt', { tool: call.tool.name, attempt }, async (span) => {
      const ended = await next(call);
      span.set({ ok: ended.ok, ...(ended.ok ? {} : { 'error.code': ended.error.code }) });
      return ended;
    });
  };
}

async function recall(
  deps: ReliabilityLayersDeps,
  call: ToolCall,
  sentAtMs: number,
): Promise<ToolOutcome | undefined> {
  const { tool, requestId } = call;
  if (call.callerKey === undefined && !isGuarded(deps.mode(), tool.effect)) return undefined;
  const { keyWindowMs } = deps.settingsOf(tool).idempotency;
  // Its key was made a moment before it was sent, perhaps in the window before.
  for (const atMs of [sentAtMs, sentAtMs - keyWindowMs]) {
    const key = keyOf(deps, call, atMs);
    if (key === undefined) return undefined;
    const record = await managerOf(deps, call).find(tool.name, key);
    if (record && record.state !== 'PENDING' && isOwnedBy(record.claimId, requestId)) {
      return toOutcome(replay<Success>(record));
    }
  }
  return undefined;
}

async function shadow(
  deps: ReliabilityLayersDeps,
  call: ToolCall,
  running: Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  try {
    watch(deps, call, running);
  } catch {
    // A shadow that stumbles must not be felt.
  }
  return running;
}

function watch(deps: ReliabilityLayersDeps, call: ToolCall, running: Promise<ToolOutcome>): void {
  const key = keyOf(deps, call);
  const { name: toolId } = call.tool;
  void deps.reliability.shadow.watch(
    {
      toolId,
      isInputValid: true,
      identity: key === undefined ? undefined : { key, digest: digestPayload(call.input) },
      repeatability: repeatabilityOf({
        ...call,
        ...defined({ idempotencyKey: key }),
      }),
      settings: deps.settingsOf(call.tool),
      timeoutMs: call.timeoutMs,
    },
    running.then(toAttempt),
  );
}

/** Two runs never share an effect: the run is part of a derived key. */
function keyOf(
  deps: ReliabilityLayersDeps,
  call: ToolCall,
  atMs = deps.reliability.clock.nowMs(),
): string | undefined {
  const { tool, callerKey } = call;
  if (callerKey !== undefined) return callerKey;
  if (call.idempotencyKey !== undefined) return call.idempotencyKey;
  if (tool.effect !== 'write' || !tool.dedupe) return undefined;
  return deriveKey({
    toolId: tool.name,
    payload: call.input,
    callerId: `run:${call.runId}`,
    windowMs: deps.settingsOf(tool).idempotency.keyWindowMs,
    atMs,
  });
}

function repeatabilityOf({ tool, idempotencyKey }: ToolCall): Repeatability {
  const hasStrongKey = tool.sendsKey === true && idempotencyKey !== undefined;
  return { idempotent: tool.idempotent, hasStrongKey };
}

function toResult(outcome: ToolOutcome) {
  return outcome.ok ? 'success' : toCallResult(outcome.error);
}

type Success = Omit<ToolOutcome & { readonly ok: true }, 'ok' | 'fromCache'>;

function toAttempt(outcome: ToolOutcome): Attempt<Success> {
  if (!outcome.ok) return { ok: false, fault: outcome.error };
  const { output, summary, artifact } = outcome;
  return { ok: true, value: { output, summary, ...defined({ artifact }) } };
}

function toOutcome({ attempt, fromCache, isResultLost }: DedupedOutcome<Success>): ToolOutcome {
  const origin = fromCache ? { fromCache } : {};
  if (!attempt.ok) return { ok: false, error: attempt.fault, ...origin };
  if (isResultLost) return { ok: true, output: RESULT_LOST, summary: 'done earlier', ...origin };
  return { ok: true, ...attempt.value, ...origin };
}

const RESULT_LOST: JsonObject = {
  already_done: true,
  note: 'this call was made earlier; its result was too large to be kept',
};
