import type { JsonObject } from '../json.ts';
import type { ToolOutcome } from '../tools/envelope.ts';
import type { Layer, ToolCall } from '../tools/pipeline.ts';
import type { Tool } from '../tools/tool.ts';
import type { Reliability } from './create-reliability.ts';
import { type Attempt, isRepeatable, type Repeatability, toCallResult } from './fault.ts';
import { circuitOpen } from './guard-call.ts';
import { deriveKey, digestPayload } from './idempotency-key.ts';
import { isGuarded, type ReliabilityMode } from './reliability-mode.ts';
import type { DedupedOutcome } from './replay-record.ts';
import { withRetry } from './retry-policy.ts';
import type { ReliabilitySettings } from './settings.ts';

export interface ReliabilityLayersDeps {
  readonly reliability: Reliability;
  /** Read at every call. */
  readonly mode: () => ReliabilityMode;
  readonly settingsOf: (tool: Tool) => ReliabilitySettings;
}

export interface ReliabilityLayers {
  readonly deduplicate: Layer;
  readonly breakCircuit: Layer;
  readonly retry: Layer;
}

/** The reliability layer as layers of the tool pipeline, in the order they are named. */
export function createReliabilityLayers(deps: ReliabilityLayersDeps): ReliabilityLayers {
  const trials = new WeakSet<ToolCall>();
  return {
    deduplicate: deduplicate(deps),
    breakCircuit: breakCircuit(deps, trials),
    retry: retry(deps, trials),
  };
}

/** Outermost, so it is also where the shadow stands: it sees the call as it would be made without the layers. */
function deduplicate(deps: ReliabilityLayersDeps): Layer {
  return async (call, next) => {
    const mode = deps.mode();
    if (mode === 'shadow') return shadow(deps, call, next(call));
    if (!isGuarded(mode, call.tool.effect)) return next(call);
    const key = keyOf(deps, call);
    if (key === undefined) return next(call);
    const keyed = { ...call, idempotencyKey: key };
    const outcome = await deps.reliability.idempotency.run(
      {
        toolId: call.tool.name,
        key,
        digest: digestPayload(call.input),
        isRepeatable: isRepeatable(repeatabilityOf(keyed)),
        policy: deps.settingsOf(call.tool).idempotency,
        signal: call.signal,
      },
      async () => toAttempt(await next(keyed)),
    );
    return toOutcome(outcome);
  };
}

/** Outside the retries: one exhausted call is one failure, not four. */
function breakCircuit(deps: ReliabilityLayersDeps, trials: WeakSet<ToolCall>): Layer {
  return async (call, next) => {
    const { tool } = call;
    if (!isGuarded(deps.mode(), tool.effect)) return next(call);
    const breaker = deps.reliability.breakers.of(tool.name, deps.settingsOf(tool).breaker);
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
    // A trial asks whether the service is back. Its failure is the answer, and not to be repeated.
    if (!isGuarded(deps.mode(), tool.effect) || trials.has(call)) return next(call);
    const { clock, random, breakers, observe, tracer } = deps.reliability;
    const toolId = tool.name;
    const attempt = (remainingMs: number) =>
      next(remainingMs < call.timeoutMs ? { ...call, timeoutMs: remainingMs } : call);
    return withRetry<ToolOutcome>({
      policy: deps.settingsOf(tool).retry,
      tool: repeatabilityOf(call),
      clock,
      random,
      signal: call.signal,
      mayContinue: () => breakers.find(toolId)?.isOpen !== true,
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
        tracer
          ? tracer.span('tool_attempt', { tool: toolId, attempt: number }, () =>
              attempt(remainingMs),
            )
          : attempt(remainingMs),
    });
  };
}

async function shadow(
  deps: ReliabilityLayersDeps,
  call: ToolCall,
  running: Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const key = keyOf(deps, call);
  const { name: toolId } = call.tool;
  void deps.reliability.shadow.watch(
    {
      toolId,
      isInputValid: true,
      identity: key === undefined ? undefined : { key, digest: digestPayload(call.input) },
      repeatability: repeatabilityOf({
        ...call,
        ...(key === undefined ? {} : { idempotencyKey: key }),
      }),
      settings: deps.settingsOf(call.tool),
      timeoutMs: call.timeoutMs,
    },
    running.then(toAttempt),
  );
  return running;
}

/** Two runs never share an effect: the run is part of a derived key. */
function keyOf(deps: ReliabilityLayersDeps, call: ToolCall): string | undefined {
  const { tool } = call;
  if (call.idempotencyKey !== undefined) return call.idempotencyKey;
  if (tool.effect !== 'write' || !tool.dedupe) return undefined;
  return deriveKey({
    toolId: tool.name,
    payload: call.input,
    callerId: `run:${call.runId}`,
    windowMs: deps.settingsOf(tool).idempotency.keyWindowMs,
    atMs: deps.reliability.clock.nowMs(),
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
  return { ok: true, value: { output, summary, ...(artifact === undefined ? {} : { artifact }) } };
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
