import { clampLimit } from '../../../core/clamp-limit.ts';
import { RuntimeError } from '../../../core/errors.ts';
import { toStoredKey } from '../../../core/reliability/idempotency/idempotency-key.ts';
import type {
  Claim,
  ClaimResult,
  IdempotencyRecord,
  IdempotencyStore,
} from '../../../core/reliability/idempotency/idempotency-store.ts';
import {
  type IdempotencyRow,
  MAX_PAGE_RECORDS,
  toKeyRange,
  toPageRange,
  toRecord,
  toSettledColumns,
} from '../../idempotency-rules.ts';
import type { Database } from '../database.ts';
import { writeOnce } from '../write-once.ts';
import * as sql from './idempotency-statements.ts';

/** A record that stood in the way may be gone when it is read; then the claim is tried again. */
const MAX_CLAIM_ATTEMPTS = 5;

/** Expired records go in bunches, one for so many claims: more than those claims can add. */
const CLAIMS_PER_PURGE = 64;
const MAX_PURGED = 256;

/** Claims by the database's clock. Beyond its time a record is as good as absent. */
export function createIdempotencyStore(
  database: Database,
  overrideNowMs: (() => number) | undefined,
): IdempotencyStore {
  const nowMs = () => overrideNowMs?.() ?? null;
  let claims = 0;

  async function find(storedKey: string): Promise<IdempotencyRecord | undefined> {
    const statement = { name: 'find_record', text: sql.FIND, values: [storedKey, nowMs()] };
    const [row] = await database.read<IdempotencyRow>(statement);
    return row && toRecord(row);
  }

  async function tryClaim(claim: Claim): Promise<ClaimResult | undefined> {
    const { storedKey, toolId, key, digest, claimId, leaseMs, ttlMs, mayTakeOver } = claim;
    const names = [storedKey, JSON.stringify(toolId), JSON.stringify(key), digest, claimId];
    const values = [...names, leaseMs, ttlMs, mayTakeOver, nowMs()];
    const statement = { name: 'claim_key', text: sql.CLAIM, values };
    const [row] = await database.write<sql.ClaimRow>(statement);
    if (row?.outcome === 'claimed') return { outcome: 'claimed' };
    if (!row) return undefined;
    const { outcome, ...record } = row;
    return { outcome, record: toRecord(record) };
  }

  async function purge(): Promise<void> {
    claims += 1;
    if (claims % CLAIMS_PER_PURGE !== 0) return;
    const values = [nowMs(), MAX_PURGED];
    await database.write({ name: 'purge_records', text: sql.PURGE, values });
  }

  return {
    find,

    claim: async (claim) => {
      await purge();
      for (let attempt = 1; attempt <= MAX_CLAIM_ATTEMPTS; attempt += 1) {
        const result = await tryClaim(claim);
        if (result) return result;
      }
      const message = `the record ${claim.storedKey} changes too fast to be claimed`;
      throw new RuntimeError('storage_unavailable', message);
    },

    renew: async (storedKey, claimId, leaseMs) => {
      const values = [storedKey, claimId, nowMs(), leaseMs];
      const statement = { name: 'renew_key', text: sql.RENEW, values };
      return (await database.write(statement)).length === 1;
    },

    settle: async (storedKey, claimId, settlement) => {
      const { state, result, notKept, error } = toSettledColumns(settlement);
      const outcome = [state, result, notKept, error];
      const values = [storedKey, claimId, nowMs(), settlement.ttlMs, ...outcome];
      const statement = { name: 'settle_key', text: sql.SETTLE, values };
      return (await writeOnce(database, statement)).length === 1;
    },

    release: async (storedKey, claimId) => {
      const values = [storedKey, claimId, nowMs()];
      const statement = { name: 'release_key', text: sql.RELEASE, values };
      return (await writeOnce(database, statement)).length === 1;
    },

    list: async (toolId, { limit, after = '' }) => {
      const range = toPageRange(toolId, after);
      const size = clampLimit(limit, MAX_PAGE_RECORDS);
      const values = [range.after, range.end, nowMs(), size];
      const statement = { name: 'list_records', text: sql.LIST, values };
      return (await database.read<IdempotencyRow>(statement)).map(toRecord);
    },

    flush: async (toolId, key) => {
      const { first, end } = toKeyRange(toolId);
      const exact = key === undefined ? null : toStoredKey(toolId, key);
      const values = [first, end, exact, nowMs()];
      const statement = { name: 'flush_keys', text: sql.FLUSH, values };
      const [row] = await writeOnce<{ flushed: number }>(database, statement);
      return row?.flushed ?? 0;
    },
  };
}
