import { backoffMs } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import { type Attempt, canRetry, type Fault, type Repeatability } from './fault.ts';
import type { RetryPolicy } from './settings.ts';

export type RetryDecision =
  | { readonly retry: true; readonly delayMs: number }
  | { readonly retry: false; readonly reason: 'final' | 'exhausted' | 'deadline' };

export interface FailedAttempt {
  readonly fault: Fault;
  /** From 1. */
  readonly attempt: number;
  readonly elapsedMs: number;
  /** In [0, 1). */
  readonly random: number;
}

/** Full jitter, so that callers that failed together do not come back together; a server's own wish is the least. */
export function decideRetry(
  policy: RetryPolicy,
  tool: Repeatability,
  failed: FailedAttempt,
): RetryDecision {
  if (!canRetry(failed.fault, tool)) return { retry: false, reason: 'final' };
  if (failed.attempt > policy.maxRetries) return { retry: false, reason: 'exhausted' };
  const backoff = { firstMs: policy.initialDelayMs, maxMs: policy.maxDelayMs, jitter: 1 };
  const waitMs = backoffMs(backoff, failed.attempt, () => failed.random);
  const delayMs = Math.max(waitMs, wishOf(failed.fault));
  // Sleeping into the deadline would only make the caller wait for the same failure.
  return failed.elapsedMs + delayMs < policy.deadlineMs
    ? { retry: true, delayMs }
    : { retry: false, reason: 'deadline' };
}

function wishOf(fault: Fault): number {
  const wish = fault.details?.['retryAfterMs'];
  return typeof wish === 'number' && wish > 0 ? Math.ceil(wish) : 0;
}

export interface RetriedCall<A> {
  readonly policy: RetryPolicy;
  readonly tool: Repeatability;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
  /** When the call began, if that was before now. */
  readonly startedAtMs?: number;
  /** Asked before each wait and again after it: an open circuit ends the retries. */
  readonly mayContinue?: () => boolean;
  readonly onRetry?: (retry: RetryNotice) => void;
  readonly faultOf: (attempt: A) => Fault | undefined;
  /** `remainingMs` is what is left of the deadline: the most this attempt may take. */
  readonly attempt: (attempt: number, remainingMs: number) => Promise<A>;
}

export interface RetryNotice {
  readonly attempt: number;
  readonly delayMs: number;
  readonly fault: Fault;
}

/** Attempts until one succeeds, fails for good, or the policy's bounds are reached; answers with the last one. */
export async function withRetry<A>(call: RetriedCall<A>): Promise<A> {
  const { policy, clock } = call;
  const startedAtMs = call.startedAtMs ?? clock.nowMs();
  for (let attempt = 1; ; attempt += 1) {
    const remainingMs = Math.max(1, policy.deadlineMs - (clock.nowMs() - startedAtMs));
    const ended = await call.attempt(attempt, remainingMs);
    const fault = call.faultOf(ended);
    if (!fault || !canGoOn(call)) return ended;
    const decision = decideRetry(policy, call.tool, {
      fault,
      attempt,
      elapsedMs: clock.nowMs() - startedAtMs,
      random: call.random(),
    });
    if (!decision.retry) return ended;
    call.onRetry?.({ attempt, delayMs: decision.delayMs, fault });
    await clock.sleep(decision.delayMs, call.signal);
    if (!canGoOn(call)) return ended;
  }
}

function canGoOn<A>(call: RetriedCall<A>): boolean {
  return !call.signal?.aborted && (call.mayContinue?.() ?? true);
}

/** For callers whose attempts are `Attempt`s. */
export function faultOfAttempt(attempt: Attempt<unknown>): Fault | undefined {
  return attempt.ok ? undefined : attempt.fault;
}
