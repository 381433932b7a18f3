import { type Attempt, type Fault, leavesEffectUnknown } from '../fault.ts';
import type { IdempotencyPolicy } from '../settings.ts';
import type { NotKept, Settlement } from './idempotency-store.ts';
import { encodeResult } from './stored-result.ts';

/** What to write about a call that has ended. */
export type SettlementPlan =
  | { readonly write: 'release'; readonly notKept?: NotKept }
  | { readonly write: 'settle'; readonly settlement: Settlement; readonly isUnknown: boolean };

export interface EndedCall {
  readonly attempt: Attempt<unknown>;
  /** Whether running it again does no harm. */
  readonly isRepeatable: boolean;
  readonly policy: IdempotencyPolicy;
  /** Runs over what is stored. */
  readonly redact: (value: unknown) => unknown;
}

/** Long enough for those who wait in other processes to see the cancel, too short to meet whoever asks anew. */
const CANCEL_TTL_MS = 2_000;

export function planSettlement({
  attempt,
  isRepeatable,
  policy,
  redact,
}: EndedCall): SettlementPlan {
  if (attempt.ok) return planSuccess(attempt.value, { isRepeatable, policy, redact });
  const { fault } = attempt;
  if (fault.code === 'circuit_open' || isToBeMade(fault, isRepeatable)) return { write: 'release' };
  const isUnknown = !isRepeatable && leavesEffectUnknown(fault);
  if (isUnknown) return failed(fault, policy.successTtlMs, { isUnknown, redact });
  if (fault.code === 'cancelled') {
    return failed(fault, Math.min(CANCEL_TTL_MS, policy.failureTtlMs), { isUnknown, redact });
  }
  return failed(fault, policy.failureTtlMs, { isUnknown, redact });
}

/** Why we gave a call up ourselves: it has not been answered. */
const GIVEN_UP: ReadonlySet<string> = new Set(['lost_lease', 'shutting_down']);
const NEVER_REACHED: ReadonlySet<string> = new Set(['cancelled', 'storage_unavailable']);

/** Whether the call is still to be made, by whoever goes on: there is nothing to remember about it. */
function isToBeMade({ code, details }: Fault, isRepeatable: boolean): boolean {
  const wasNeverMade = details?.['effect'] === 'none';
  if (GIVEN_UP.has(code)) return wasNeverMade || isRepeatable;
  return wasNeverMade && NEVER_REACHED.has(code);
}

function planSuccess(
  value: unknown,
  { isRepeatable, policy, redact }: Omit<EndedCall, 'attempt'>,
): SettlementPlan {
  const ttlMs = policy.successTtlMs;
  const encoded = encodeResult(redact(value), policy.maxResultBytes);
  if (!('notKept' in encoded)) {
    const settlement: Settlement = { state: 'COMPLETED', result: encoded.text, ttlMs };
    return { write: 'settle', settlement, isUnknown: false };
  }
  const { notKept } = encoded;
  if (isRepeatable) return { write: 'release', notKept };
  return { write: 'settle', settlement: { state: 'COMPLETED', notKept, ttlMs }, isUnknown: false };
}

function failed(
  fault: Fault,
  ttlMs: number,
  { isUnknown, redact }: { isUnknown: boolean; redact: EndedCall['redact'] },
): SettlementPlan {
  const error = redact(isUnknown ? toUnknown(fault) : fault) as Fault;
  return { write: 'settle', settlement: { state: 'FAILED', error, ttlMs }, isUnknown };
}

function toUnknown(fault: Fault): Fault {
  return {
    code: 'outcome_unknown',
    message: `an earlier call ended without an answer (${fault.code}); whether it took effect is unknown`,
    retryable: false,
    details: { cause: fault.code, effect: 'unknown' },
  };
}
