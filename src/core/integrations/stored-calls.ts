import type { LeaseId, RequestId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import { expire, patch, put, remove } from '../store/change.ts';
import { collection, query } from '../store/collection.ts';
import { ask, find } from '../store/need.ts';
import type { Tables } from '../store/tables.ts';
import { answer, type Decided, defineWrite } from '../store/write.ts';
import {
  type CallClaim,
  type CallEnd,
  type CallRef,
  MAX_COUNTED_CALLS,
  type NewCall,
  type OpenResult,
  type ReceiptStore,
} from './receipt-store.ts';

export interface CallRow extends CallRef {
  readonly digest: string;
  readonly requestId: RequestId;
  readonly integrationId: string;
  readonly owner: string;
  /** Undefined once it has ended. */
  readonly claimId: LeaseId | undefined;
  readonly leaseUntilMs: number;
  readonly openedAtMs: number;
  /** Undefined: kept for good. */
  readonly expiresAtMs: number | undefined;
  /** False when it was not made. */
  readonly isFinal: boolean;
  readonly result: JsonObject | undefined;
}

export const CALLS = collection<CallRow>()('integration_calls', 'scope', 'callId');

/** Other calls of an owner within the window. One that was not made does not count. */
export const RECENT_CALLS = query<
  Pick<CallRow, 'scope' | 'callId' | 'integrationId' | 'owner'> & { windowMs: number; max: number },
  { calls: number }
>('recent_calls');

/** Rows that have had their time go in bunches, with each new one. */
const MAX_EXPIRED_CALLS = 100;

const lockOf = ({ scope, callId }: CallRef) => `call ${JSON.stringify([scope, callId])}`;

const open = defineWrite({
  name: 'calls.open',
  // The call's lock first, on every node: nobody waits in a circle.
  locks: (call: NewCall) => [
    lockOf(call),
    `call_rate ${JSON.stringify([call.integrationId, call.owner])}`,
  ],
  needs: ({ scope, callId, integrationId, owner, windowMs }) => ({
    known: find(CALLS, { scope, callId }),
    recent: ask(RECENT_CALLS, {
      scope,
      callId,
      integrationId,
      owner,
      windowMs,
      max: MAX_COUNTED_CALLS,
    }),
  }),
  decide({ known, recent }, call, nowMs): Decided<OpenResult> {
    const kept = known && isKept(known, nowMs) ? known : undefined;
    const step = judgeOpen(kept, call, nowMs);
    if (step.step === 'answer') return answer(step.result);
    const { requestId, isResumed } = step;
    const { scope, callId, digest, integrationId, owner, claimId } = call;
    const row: CallRow = {
      // The end of a call that was not made stays until it has another.
      isFinal: kept?.isFinal ?? false,
      result: kept?.result,
      scope,
      callId,
      digest,
      requestId,
      integrationId,
      owner,
      claimId,
      leaseUntilMs: nowMs + call.leaseMs,
      openedAtMs: nowMs,
      expiresAtMs: call.keepMs === undefined ? undefined : nowMs + call.keepMs,
    };
    const past = { by: 'expiresAtMs', untilMs: nowMs, max: MAX_EXPIRED_CALLS } as const;
    return {
      value: { outcome: 'opened', requestId, isResumed, recentCalls: recent[0]?.calls ?? 0 },
      changes: [expire(CALLS, past), put(CALLS, row)],
    };
  },
});

type OpenStep =
  | { readonly step: 'answer'; readonly result: Exclude<OpenResult, { outcome: 'opened' }> }
  /** Write the claim over the row, or as a new one. */
  | { readonly step: 'claim'; readonly requestId: RequestId; readonly isResumed: boolean };

/** One that has had its time is as good as gone. */
function isKept({ expiresAtMs }: CallRow, nowMs: number): boolean {
  return expiresAtMs === undefined || expiresAtMs > nowMs;
}

/** What a claim comes to, by the row that is there. */
function judgeOpen(known: CallRow | undefined, call: NewCall, nowMs: number): OpenStep {
  if (!known) return { step: 'claim', requestId: call.requestId, isResumed: false };
  if (known.digest !== call.digest) return { step: 'answer', result: { outcome: 'conflict' } };
  if (known.claimId === undefined) {
    const { isFinal, result } = known;
    if (!isFinal || result === undefined)
      return { step: 'claim', requestId: call.requestId, isResumed: false };
    return { step: 'answer', result: { outcome: 'settled', result } };
  }
  const leaseLeftMs = known.leaseUntilMs - nowMs;
  if (leaseLeftMs > 0) return { step: 'answer', result: { outcome: 'busy', leaseLeftMs } };
  return { step: 'claim', requestId: known.requestId, isResumed: true };
}

/** Somebody else's claim by now is left as it is. */
function isOwn(known: CallRow | undefined, { claimId }: CallClaim): known is CallRow {
  return known?.claimId === claimId;
}

const toKey = ({ scope, callId }: CallRef): CallRef => ({ scope, callId });

const renew = defineWrite({
  name: 'calls.renew',
  locks: ({ claim }: { claim: CallClaim; leaseMs: number }) => [lockOf(claim)],
  needs: ({ claim }) => ({ known: find(CALLS, toKey(claim)) }),
  decide({ known }, { claim, leaseMs }, nowMs) {
    if (!isOwn(known, claim)) return answer(false);
    const renewed = patch(CALLS, toKey(claim), { leaseUntilMs: nowMs + leaseMs });
    return { value: true, changes: [renewed] };
  },
});

const settle = defineWrite({
  name: 'calls.settle',
  locks: ({ claim }: { claim: CallClaim; end: CallEnd }) => [lockOf(claim)],
  needs: ({ claim }) => ({ known: find(CALLS, toKey(claim)) }),
  decide({ known }, { claim, end: { isFinal, result } }) {
    if (!isOwn(known, claim)) return answer(false);
    const settled = patch(CALLS, toKey(claim), { claimId: undefined, isFinal, result });
    return { value: true, changes: [settled] };
  },
});

const release = defineWrite({
  name: 'calls.release',
  locks: (claim: CallClaim) => [lockOf(claim)],
  needs: (claim) => ({ known: find(CALLS, toKey(claim)) }),
  decide({ known }, claim) {
    if (!isOwn(known, claim)) return answer(undefined);
    const key = toKey(claim);
    const change =
      known.result === undefined ? remove(CALLS, key) : patch(CALLS, key, { claimId: undefined });
    return { value: undefined, changes: [change] };
  },
});

export const CALL_WRITES = { open, renew, settle, release };

export function createReceiptStore({ load, write }: Tables): ReceiptStore {
  return {
    open: (call) => write(open, call),
    renew: (claim, leaseMs) => write(renew, { claim, leaseMs }),
    settle: (claim, end) => write(settle, { claim, end }),
    release: (claim) => write(release, claim),

    async find(ref) {
      const row = await load(find(CALLS, toKey(ref)));
      return row && { digest: row.digest, result: row.result };
    },
  };
}
