import type { Attempt, Fault } from '../fault.ts';
import type { IdempotencyRecord } from './idempotency-store.ts';
import { decodeResult } from './stored-result.ts';

export interface DedupedOutcome<T> {
  readonly attempt: Attempt<T>;
  readonly fromCache: boolean;
  /** The call was made, and its result is gone: a replay has none to give. */
  readonly isResultLost?: boolean;
}

/** The answer of a call that has been made already. */
export function replay<T>(record: IdempotencyRecord): DedupedOutcome<T> {
  if (record.error) return { attempt: { ok: false, fault: record.error }, fromCache: true };
  const value = decodeResult(record.result ?? '') as T;
  return {
    attempt: { ok: true, value },
    fromCache: true,
    ...(record.notKept === undefined ? {} : { isResultLost: true }),
  };
}

export function conflicting(): Fault {
  return {
    code: 'conflict',
    message: 'the idempotency key belongs to a call with another payload',
    retryable: false,
    details: { reason: 'payload_differs', effect: 'none' },
  };
}

export function stillRunning(): Fault {
  return {
    code: 'conflict',
    message: 'the same call is still running',
    retryable: true,
    details: { reason: 'in_progress', state: 'PENDING', effect: 'none' },
  };
}

export function unknownOutcome(): Fault {
  return {
    code: 'outcome_unknown',
    message: 'an earlier call broke off; whether it took effect is unknown',
    retryable: false,
    details: { reason: 'abandoned', effect: 'unknown' },
  };
}
