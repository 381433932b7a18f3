import type { LeaseId, RequestId } from '../ids.ts';
import type { JsonObject } from '../json.ts';

/**
 * Calls of integrations by the id that their caller gave them: claimed before they are made, kept with how they ended.
 * Each method is one transaction. The store's clock decides leases.
 */
export interface ReceiptStore {
  /**
   * Claims a call. One that has ended for good is answered with its end, and one that was not made after all may be
   * claimed anew. A claim whose lease has run out is taken over under the request id of the first one: what became of
   * that is for the new one to find out.
   */
  open(call: NewCall): Promise<OpenResult>;

  /** Keeps a claim for so much longer. False when somebody else has it by now. */
  renew(claim: CallClaim, leaseMs: number): Promise<boolean>;

  /** Stores how the call ended and gives the claim up. False, and nothing stored, when somebody else has it by now. */
  settle(claim: CallClaim, end: CallEnd): Promise<boolean>;

  /** Gives the claim up as if it had never been. */
  release(claim: CallClaim): Promise<void>;

  find(ref: CallRef): Promise<StoredCall | undefined>;
}

export interface CallRef {
  /** The run, or for a call outside of runs the owner. */
  readonly scope: string;
  readonly callId: string;
}

export interface CallClaim extends CallRef {
  readonly claimId: LeaseId;
}

export interface NewCall extends CallClaim {
  readonly requestId: RequestId;
  /** Of what was asked for: the same call again is known by it. */
  readonly digest: string;
  readonly integrationId: string;
  readonly owner: string;
  readonly leaseMs: number;
  /** Over which `recentCalls` counts. */
  readonly windowMs: number;
  /** How long the row is kept; for good when absent. */
  readonly keepMs?: number;
}

export type OpenResult =
  | {
      readonly outcome: 'opened';
      readonly requestId: RequestId;
      /** Somebody claimed it before and did not say how it ended. */
      readonly isResumed: boolean;
      /** Other calls of this owner with this integration within the window, those that were not made left out. */
      readonly recentCalls: number;
    }
  | { readonly outcome: 'settled'; readonly result: JsonObject }
  | { readonly outcome: 'busy'; readonly leaseLeftMs: number }
  | { readonly outcome: 'conflict' };

export interface CallEnd {
  readonly result: JsonObject;
  /** False when the call was not made: then the same call may be claimed anew. */
  readonly isFinal: boolean;
}

interface StoredCall {
  readonly digest: string;
  /** Undefined while it is being made for the first time. */
  readonly result: JsonObject | undefined;
}

/** No manifest allows more within a minute, so nobody needs a higher count. */
export const MAX_COUNTED_CALLS = 10_000;
