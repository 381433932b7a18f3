import * as z from 'zod';
import { RuntimeError } from '../errors.ts';

/** When a circuit opens, how long it stays open, and how it is tried again. */
export interface BreakerPolicy {
  /** Failures in a row that open the circuit. */
  readonly failureThreshold: number;
  /** Share of failures over a full window that opens it too. */
  readonly failureRate: number;
  /** How many of the latest calls the rate is taken over; it says nothing before that many were measured. */
  readonly windowSize: number;
  readonly resetTimeoutMs: number;
  /** Trials at a time while half open. */
  readonly halfOpenConcurrency: number;
  /** Trials that must succeed in a row before the circuit closes. */
  readonly successesToClose: number;
  /** A trial that has not ended by then no longer keeps others from trying. */
  readonly trialLeaseMs: number;
}

export interface RetryPolicy {
  /** Attempts after the first. */
  readonly maxRetries: number;
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
  /** All attempts and the waits between them together. No attempt starts later, and none outlasts it. */
  readonly deadlineMs: number;
}

export interface IdempotencyPolicy {
  readonly successTtlMs: number;
  /** Long enough to stop a tight loop, short enough for an honest retry later. */
  readonly failureTtlMs: number;
  /** How long a claim holds without being renewed. */
  readonly leaseMs: number;
  readonly duplicates: 'wait' | 'fail_fast';
  readonly maxWaitMs: number;
  /** Results above this are not kept. */
  readonly maxResultBytes: number;
  /** Equal calls within one window share a derived key. */
  readonly keyWindowMs: number;
}

export interface ReliabilitySettings {
  readonly breaker: BreakerPolicy;
  readonly retry: RetryPolicy;
  readonly idempotency: IdempotencyPolicy;
  /** One attempt. In the pipeline a tool's own limit counts instead. */
  readonly timeoutMs: number;
}

export interface ReliabilityOverrides {
  readonly breaker?: Partial<BreakerPolicy> | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
  readonly idempotency?: Partial<IdempotencyPolicy> | undefined;
  readonly timeoutMs?: number | undefined;
}

export const DEFAULT_RELIABILITY: ReliabilitySettings = {
  breaker: {
    failureThreshold: 5,
    failureRate: 0.5,
    windowSize: 100,
    resetTimeoutMs: 30_000,
    halfOpenConcurrency: 1,
    successesToClose: 1,
    trialLeaseMs: 60_000,
  },
  // Four attempts of the default timeout fit into the deadline, the last one cut a little short.
  retry: { maxRetries: 3, initialDelayMs: 500, maxDelayMs: 5_000, deadlineMs: 120_000 },
  idempotency: {
    successTtlMs: 24 * 60 * 60_000,
    failureTtlMs: 60_000,
    leaseMs: 30_000,
    duplicates: 'wait',
    maxWaitMs: 30_000,
    maxResultBytes: 256 * 1024,
    keyWindowMs: 60 * 60_000,
  },
  timeoutMs: 30_000,
};

// Node fires a timer at once when its delay does not fit into 32 bits.
const MAX_TIMER_MS = 2 ** 31 - 1;
const MAX_TTL_MS = 366 * 24 * 60 * 60_000;

const count = (max: number) => z.int().min(1).max(max);
const timerMs = z.int().min(1).max(MAX_TIMER_MS);
const ttlMs = z.int().min(1).max(MAX_TTL_MS);

/** Bounds of every number, for overrides from configuration. */
const settingsSchema = z.strictObject({
  breaker: z.strictObject({
    failureThreshold: count(1_000_000),
    failureRate: z.number().gt(0).max(1),
    // The window is copied when an outcome changes it.
    windowSize: count(10_000),
    resetTimeoutMs: timerMs,
    halfOpenConcurrency: count(100),
    successesToClose: count(1_000),
    trialLeaseMs: timerMs,
  }),
  retry: z.strictObject({
    maxRetries: z.int().min(0).max(100),
    initialDelayMs: z.int().min(0).max(MAX_TIMER_MS),
    maxDelayMs: z.int().min(0).max(MAX_TIMER_MS),
    deadlineMs: timerMs,
  }),
  idempotency: z.strictObject({
    successTtlMs: ttlMs,
    failureTtlMs: ttlMs,
    leaseMs: timerMs,
    duplicates: z.enum(['wait', 'fail_fast']),
    maxWaitMs: z.int().min(0).max(MAX_TIMER_MS),
    maxResultBytes: z
      .int()
      .min(0)
      .max(64 * 1024 * 1024),
    keyWindowMs: ttlMs,
  }),
  timeoutMs: timerMs,
});

/** Defaults with overrides over them. Throws `config_invalid` and names the field. */
export function resolveSettings(
  overrides: ReliabilityOverrides = {},
  base: ReliabilitySettings = DEFAULT_RELIABILITY,
): ReliabilitySettings {
  const parsed = settingsSchema.safeParse({
    ...overrides,
    breaker: { ...base.breaker, ...withoutUndefined(overrides.breaker) },
    retry: { ...base.retry, ...withoutUndefined(overrides.retry) },
    idempotency: { ...base.idempotency, ...withoutUndefined(overrides.idempotency) },
    timeoutMs: overrides.timeoutMs ?? base.timeoutMs,
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join('.') || 'settings';
  throw new RuntimeError('config_invalid', `reliability ${field}: ${issue?.message ?? 'invalid'}`);
}

function withoutUndefined(fields: object | undefined): object {
  return Object.fromEntries(
    Object.entries(fields ?? {}).filter(([, value]) => value !== undefined),
  );
}
