import type * as z from 'zod';
import type { ToolEffect } from '../tools/tool.ts';
import { attemptOnce } from './attempt-once.ts';
import type { Admission } from './breaker.ts';
import type { Reliability } from './create-reliability.ts';
import {
  type Attempt,
  type Fault,
  isRepeatable,
  type Repeatability,
  toCallResult,
} from './fault.ts';
import { type CallFacts, HandlerContext } from './handler-context.ts';
import { faultOfAttempt, withRetry } from './retry-policy.ts';
import type { ReliabilitySettings } from './settings.ts';

/** A function and everything its guarding needs to know about it. */
export interface GuardedTool<P, R> {
  readonly toolId: string;
  readonly handler: (payload: P, context: HandlerContext) => Promise<R>;
  readonly effect: ToolEffect;
  readonly idempotent: boolean;
  readonly dedupe: boolean;
  readonly sendsKey: boolean;
  readonly input: z.ZodType<P> | undefined;
  readonly callerId: string;
  readonly settings: ReliabilitySettings;
  readonly reliability: Reliability;
}

/** One call on its way: what it is made with, and how many attempts it took. */
export interface GuardedCall<P> extends CallFacts {
  readonly payload: P;
  readonly signal: AbortSignal | undefined;
  /** When its first attempt began. */
  startedAtMs: number;
  attempts: number;
}

export function repeatabilityOf(
  tool: Pick<GuardedTool<never, unknown>, 'idempotent' | 'sendsKey'>,
  key: string | undefined,
): Repeatability {
  return { idempotent: tool.idempotent, hasStrongKey: tool.sendsKey && key !== undefined };
}

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
  if (!tracer) return run(tool, call, remainingMs);
  return tracer.span(
    'tool_attempt',
    { tool: tool.toolId, attempt: call.attempts },
    async (span) => {
      const ended = await run(tool, call, remainingMs);
      span.set({ ok: ended.ok, ...(ended.ok ? {} : { 'error.code': ended.fault.code }) });
      return ended;
    },
  );
}

function run<P, R>(
  tool: GuardedTool<P, R>,
  call: GuardedCall<P>,
  remainingMs: number,
): Promise<Attempt<R>> {
  const { deadlines, clock } = tool.reliability;
  // A fixed duration, whenever it fits, shares its queue of deadlines with all other calls.
  const timeoutMs = Math.min(tool.settings.timeoutMs, remainingMs);
  return attemptOnce({
    run: (context) => tool.handler(call.payload, context),
    context: new HandlerContext(call, call.attempts),
    deadlines,
    timeoutMs,
    startedAtMs: call.attempts === 1 ? call.startedAtMs : clock.nowMs(),
    nowMs: clock.nowMs,
    signal: call.signal,
    onTimeout: () => timedOut(tool, call, timeoutMs),
  });
}

function timedOut<P, R>(tool: GuardedTool<P, R>, call: GuardedCall<P>, timeoutMs: number): Fault {
  return {
    code: 'timeout',
    message: `${tool.toolId} did not finish within ${timeoutMs} ms`,
    retryable: isRepeatable(repeatabilityOf(tool, call.idempotencyKey)),
    details: { effect: tool.effect === 'write' ? 'unknown' : 'none' },
  };
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
      ...(retryInMs === undefined ? {} : { retryAfterMs: retryInMs }),
    },
  };
}
