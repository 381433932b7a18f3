import { defined } from '../defined.ts';
import { attemptOnce } from './attempt-once.ts';
import type { Admission } from './breakers/breaker.ts';
import { type Attempt, type Fault, toCallResult } from './fault.ts';
import { type GuardedCall, type GuardedTool, repeatabilityOf } from './guarded-call.ts';
import { faultOfAttempt, withRetry } from './retry-policy.ts';

/** Circuit, retries, timeout, handler. One permit covers all attempts: an exhausted call is one failure, not four. */
export async function guard<P, R>(
  tool: GuardedTool<P, R>,
  call: GuardedCall<P>,
): Promise<Attempt<R>> {
  const breaker = tool.reliability.breakers.of(tool.toolId, tool.settings.breaker);
  const asked = breaker.admit();
  const admission = asked instanceof Promise ? await asked : asked;
  if (!admission.admitted) return { ok: false, fault: circuitOpen(tool.toolId, admission) };
  call.startedAtMs = tool.reliability.clock.nowMs();
  const first = await attempt(tool, call, tool.settings.retry.deadlineMs);
  // A trial asks whether the service is back. Its failure is the answer, and not to be repeated.
  const isFinal = first.ok || admission.trialId !== undefined;
  const ended = isFinal ? first : await retryAfter(tool, call, first);
  breaker.settle(admission, ended.ok ? 'success' : toCallResult(ended.fault));
  return ended;
}

function retryAfter<P, R>(
  tool: GuardedTool<P, R>,
  call: GuardedCall<P>,
  first: Attempt<R>,
): Promise<Attempt<R>> {
  const { toolId, settings, reliability } = tool;
  const { clock, random, breakers, observe } = reliability;
  return withRetry<Attempt<R>>({
    policy: settings.retry,
    tool: repeatabilityOf(tool, call.idempotencyKey),
    clock,
    random,
    signal: call.signal,
    startedAtMs: call.startedAtMs,
    mayContinue: () => breakers.find(toolId)?.isOpen !== true,
    onRetry: ({ attempt: failed, delayMs, fault }) =>
      observe({ type: 'call.retried', toolId, attempt: failed, delayMs, errorCode: fault.code }),
    faultOf: faultOfAttempt,
    attempt: (number, remainingMs) =>
      number === 1 ? Promise.resolve(first) : attempt(tool, call, remainingMs),
  });
}

function attempt<P, R>(
  tool: GuardedTool<P, R>,
  call: GuardedCall<P>,
  remainingMs: number,
): Promise<Attempt<R>> {
  const { tracer } = tool.reliability;
  call.attempts += 1;
  if (!tracer) return attemptOnce(tool, call, remainingMs);
  return tracer.span(
    'tool_attempt',
    { tool: tool.toolId, attempt: call.attempts },
    async (span) => {
      const ended = await attemptOnce(tool, call, remainingMs);
      span.set({ ok: ended.ok, ...(ended.ok ? {} : { 'error.code': ended.fault.code }) });
      return ended;
    },
  );
}

export function circuitOpen(toolId: string, admission: Admission & { admitted: false }): Fault {
  const { status, retryInMs } = admission;
  return {
    code: 'circuit_open',
    message:
      status === 'forced_open'
        ? `the circuit of ${toolId} was opened by an operator`
        : `the circuit of ${toolId} is open`,
    retryable: status !== 'forced_open',
    details: {
      state: status,
      effect: 'none',
      ...defined({ retryAfterMs: retryInMs }),
    },
  };
}
