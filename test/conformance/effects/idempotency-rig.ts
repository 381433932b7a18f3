import { toStoredKey } from '../../../src/core/reliability/idempotency/idempotency-key.ts';
import type {
  Claim,
  IdempotencyRecord,
  IdempotencyStore,
} from '../../../src/core/reliability/idempotency/idempotency-store.ts';
import type { ManualClock } from '../../support/manual-clock.ts';

interface OpenedIdempotency {
  readonly store: IdempotencyStore;
  /** The store's clock. */
  readonly clock: ManualClock;
  /** The same records, as another process sees them. */
  openBeside(): Promise<IdempotencyStore>;
}

/** An empty store that is closed when the test ends. */
export type OpenIdempotency = () => Promise<OpenedIdempotency>;

// Long, because a server with its own idea of time drops records by it.
export const CLAIM_LEASE_MS = 30_000;
export const CLAIM_TTL_MS = 600_000;

let claims = 0;

export function newClaim(key = 'k', overrides: Partial<Claim> = {}): Claim {
  claims += 1;
  const toolId = overrides.toolId ?? 'mail.send';
  return {
    storedKey: toStoredKey(toolId, key),
    toolId,
    key,
    digest: 'digest',
    claimId: `claim_${claims}`,
    leaseMs: CLAIM_LEASE_MS,
    ttlMs: CLAIM_TTL_MS,
    mayTakeOver: false,
    ...overrides,
  };
}

/** What a claim made at this time leaves behind. */
export function pendingRecord(claim: Claim, atMs: number): IdempotencyRecord {
  const { storedKey, toolId, key, digest, claimId, leaseMs, ttlMs } = claim;
  return {
    storedKey,
    toolId,
    key,
    digest,
    claimId,
    state: 'PENDING',
    version: 1,
    createdAtMs: atMs,
    updatedAtMs: atMs,
    leaseUntilMs: atMs + leaseMs,
    expiresAtMs: atMs + ttlMs,
  };
}
