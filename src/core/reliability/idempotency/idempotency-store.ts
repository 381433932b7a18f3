import type { Fault } from '../fault.ts';

export type IdempotencyState = 'PENDING' | 'COMPLETED' | 'FAILED';

/** Why a result is not there to be replayed. */
export type NotKept = 'too_large' | 'not_serialisable';

export interface IdempotencyRecord {
  /** As in `toStoredKey`. */
  readonly storedKey: string;
  readonly toolId: string;
  /** As the caller gave it, or as it was derived. */
  readonly key: string;
  readonly state: IdempotencyState;
  /** Of the payload: the same key with another payload is a conflict. */
  readonly digest: string;
  /** Whose claim it is, or was. A number alone would start over after a flush and let an old claim pass for a new. */
  readonly claimId: string;
  /** Grows with every write. */
  readonly version: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** While PENDING: when the claim counts as abandoned. */
  readonly leaseUntilMs: number;
  /** When the record is forgotten. */
  readonly expiresAtMs: number;
  /** JSON, while COMPLETED. */
  readonly result?: string;
  readonly notKept?: NotKept;
  /** While FAILED. */
  readonly error?: Fault;
}

export interface Claim {
  readonly storedKey: string;
  readonly toolId: string;
  readonly key: string;
  readonly digest: string;
  readonly claimId: string;
  readonly leaseMs: number;
  /** How long a PENDING record is kept: forgetting it earlier would allow a second run. */
  readonly ttlMs: number;
  /** Whether an abandoned claim may be taken over, because running the tool again does no harm. */
  readonly mayTakeOver: boolean;
}

export type ClaimResult =
  | { readonly outcome: 'claimed' }
  | {
      /**
       * `conflict`: another payload has the key. `running`: PENDING within its lease. `abandoned`: PENDING beyond
       * it. `settled`: COMPLETED or FAILED.
       */
      readonly outcome: 'conflict' | 'running' | 'abandoned' | 'settled';
      readonly record: IdempotencyRecord;
    };

export type Settlement = { readonly ttlMs: number } & (
  | { readonly state: 'COMPLETED'; readonly result: string }
  | { readonly state: 'COMPLETED'; readonly notKept: NotKept }
  | { readonly state: 'FAILED'; readonly error: Fault }
);

/**
 * Claims and what became of them. Every method is atomic. Times are durations: the store's own clock decides, so
 * that processes whose clocks differ agree.
 */
export interface IdempotencyStore {
  /**
   * Writes a PENDING record when there is none, or takes an abandoned one over; else says what is there. A claim that
   * is made again, because its answer got lost, is still the caller's.
   */
  claim(claim: Claim): Promise<ClaimResult>;
  /** Answers false when the claim is no longer the caller's, or no longer PENDING. */
  renew(storedKey: string, claimId: string, leaseMs: number): Promise<boolean>;
  /** Compare and set: only the owner of a PENDING claim may settle it. */
  settle(storedKey: string, claimId: string, settlement: Settlement): Promise<boolean>;
  /** Takes a PENDING claim back as if it had never been made. */
  release(storedKey: string, claimId: string): Promise<boolean>;
  find(storedKey: string): Promise<IdempotencyRecord | undefined>;
  /** In the order of stored keys, after `after`. */
  list(toolId: string, page: RecordPage): Promise<readonly IdempotencyRecord[]>;
  /** Forgets one record of a tool, or all; answers how many. PENDING ones included: an operator knows why. */
  flush(toolId: string, key?: string): Promise<number>;
}

export interface RecordPage {
  readonly limit: number;
  readonly after?: string;
}
