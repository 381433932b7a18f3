import type { RequestId } from '../core/ids.ts';
import type { NewCall, OpenResult } from '../core/integrations/receipt-store.ts';
import type { JsonObject } from '../core/json.ts';

/** Rows that have had their time go in bunches, with each new one. */
export const MAX_REMOVED_CALLS = 100;

export interface CallRow {
  readonly digest: string;
  readonly request_id: RequestId;
  readonly claim_id: string | null;
  readonly lease_until_ms: number;
  readonly is_final: number | boolean;
  readonly result: string | null;
}

export type OpenStep =
  | { readonly step: 'answer'; readonly result: Exclude<OpenResult, { outcome: 'opened' }> }
  /** Write the claim over the row, or as a new one. */
  | { readonly step: 'claim'; readonly requestId: RequestId; readonly isResumed: boolean };

/** What a claim comes to, by the row that is there. */
export function judgeOpen(row: CallRow | undefined, call: NewCall, nowMs: number): OpenStep {
  if (row === undefined) return { step: 'claim', requestId: call.requestId, isResumed: false };
  if (row.digest !== call.digest) return { step: 'answer', result: { outcome: 'conflict' } };
  if (row.claim_id === null) {
    if (!row.is_final || row.result === null) {
      return { step: 'claim', requestId: call.requestId, isResumed: false };
    }
    const result = JSON.parse(row.result) as JsonObject;
    return { step: 'answer', result: { outcome: 'settled', result } };
  }
  const leaseLeftMs = row.lease_until_ms - nowMs;
  if (leaseLeftMs > 0) return { step: 'answer', result: { outcome: 'busy', leaseLeftMs } };
  return { step: 'claim', requestId: row.request_id, isResumed: true };
}
