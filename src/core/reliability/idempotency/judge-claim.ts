import type { Claim, ClaimResult, IdempotencyRecord } from './idempotency-store.ts';

/** What a claim comes to when there is a record; undefined when it takes that over, or renews it. */
export function judgeClaim(
  record: IdempotencyRecord,
  claim: Claim,
  nowMs: number,
): ClaimResult | undefined {
  if (record.digest !== claim.digest) return { outcome: 'conflict', record };
  if (record.state !== 'PENDING') return { outcome: 'settled', record };
  // A claim whose answer got lost is still the caller's, who needs a lease with it.
  const isOwn = record.claimId === claim.claimId;
  if (record.leaseUntilMs > nowMs) {
    return isOwn ? { outcome: 'claimed' } : { outcome: 'running', record };
  }
  return isOwn || claim.mayTakeOver ? undefined : { outcome: 'abandoned', record };
}
