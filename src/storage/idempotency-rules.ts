import { toKeyPrefix } from '../core/reliability/idempotency/idempotency-key.ts';
import type {
  IdempotencyRecord,
  Settlement,
} from '../core/reliability/idempotency/idempotency-store.ts';

/** A page is read in one go, and each may carry a result. */
export const MAX_PAGE_RECORDS = 500;

/** The columns that settling a claim writes. */
export interface SettledColumns {
  readonly state: 'COMPLETED' | 'FAILED';
  readonly result: string | null;
  readonly notKept: string | null;
  readonly error: string | null;
}

export function toSettledColumns(settlement: Settlement): SettledColumns {
  if (settlement.state === 'FAILED') {
    const error = JSON.stringify(settlement.error);
    return { state: 'FAILED', result: null, notKept: null, error };
  }
  const result = 'result' in settlement ? settlement.result : null;
  const notKept = 'notKept' in settlement ? settlement.notKept : null;
  return { state: 'COMPLETED', result, notKept, error: null };
}

/** A row as both SQL engines deliver it. */
export interface IdempotencyRow {
  readonly stored_key: string;
  readonly tool_id: string;
  readonly key: string;
  readonly state: IdempotencyRecord['state'];
  readonly digest: string;
  readonly claim_id: string;
  readonly version: number;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly lease_until_ms: number;
  readonly expires_at_ms: number;
  readonly result: string | null;
  readonly not_kept: string | null;
  readonly error: string | null;
}

export const IDEMPOTENCY_COLUMNS =
  'stored_key, tool_id, key, state, digest, claim_id, version, created_at_ms, updated_at_ms, ' +
  'lease_until_ms, expires_at_ms, result, not_kept, error';

/** Tool and key are kept as JSON strings: they may hold any character. */
export function toRecord(row: IdempotencyRow): IdempotencyRecord {
  return {
    storedKey: row.stored_key,
    toolId: JSON.parse(row.tool_id) as string,
    key: JSON.parse(row.key) as string,
    state: row.state,
    digest: row.digest,
    claimId: row.claim_id,
    version: row.version,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    leaseUntilMs: row.lease_until_ms,
    expiresAtMs: row.expires_at_ms,
    ...(row.result !== null && { result: row.result }),
    ...(row.not_kept !== null && {
      notKept: row.not_kept as NonNullable<IdempotencyRecord['notKept']>,
    }),
    ...(row.error !== null && {
      error: JSON.parse(row.error) as NonNullable<IdempotencyRecord['error']>,
    }),
  };
}

/** The stored keys of a tool lie between these two: a semicolon follows the colon that ends the prefix. */
export function toKeyRange(toolId: string): { readonly first: string; readonly end: string } {
  const first = toKeyPrefix(toolId);
  return { first, end: `${first.slice(0, -1)};` };
}

/** One lower bound: given two, an engine may seek by the wrong one and read the keys of every tool before. */
export function toPageRange(
  toolId: string,
  after: string,
): { readonly after: string; readonly end: string } {
  const { first, end } = toKeyRange(toolId);
  return { after: after > first ? after : first, end };
}
