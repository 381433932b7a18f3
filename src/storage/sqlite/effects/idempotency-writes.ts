import { toStoredKey } from '../../../core/reliability/idempotency/idempotency-key.ts';
import type {
  Claim,
  ClaimResult,
  Settlement,
} from '../../../core/reliability/idempotency/idempotency-store.ts';
import { judgeClaim } from '../../../core/reliability/idempotency/judge-claim.ts';
import {
  IDEMPOTENCY_COLUMNS,
  type IdempotencyRow,
  toKeyRange,
  toRecord,
  toSettledColumns,
} from '../../idempotency-rules.ts';
import { getRow } from '../rows.ts';
import type { WriteContext } from '../write-context.ts';

/** More than the one a claim adds: the expired ones get fewer, and no claim waits for many of them. */
const MAX_PURGED_BY_CLAIM = 4;

/** Claims on keys and what became of them. Beyond its time a record is as good as absent. */
export function createIdempotencyWrites(context: WriteContext) {
  return {
    claimKey: createClaimKey(context),
    ...createOwnerWrites(context),
    flushKeys: createFlushKeys(context),
  };
}

function createClaimKey(context: WriteContext) {
  const { db } = context;
  const select = db.prepare(
    `SELECT ${IDEMPOTENCY_COLUMNS} FROM idempotency_records WHERE stored_key = ? AND expires_at_ms > ?`,
  );
  const purge = db.prepare(`
    DELETE FROM idempotency_records WHERE rowid IN (
      SELECT rowid FROM idempotency_records WHERE expires_at_ms <= ?
      ORDER BY expires_at_ms LIMIT ${MAX_PURGED_BY_CLAIM}
    )`);
  const replace = db.prepare(`
    INSERT OR REPLACE INTO idempotency_records (
      stored_key, tool_id, key, state, digest, claim_id, version,
      created_at_ms, updated_at_ms, lease_until_ms, expires_at_ms
    ) VALUES (?, ?, ?, 'PENDING', ?, ?, ?, ?, ?, ?, ?)`);

  return (claim: Claim): ClaimResult => {
    const nowMs = context.nowMs();
    const row = getRow<IdempotencyRow>(select, claim.storedKey, nowMs);
    const record = row && toRecord(row);
    const result = record && judgeClaim(record, claim, nowMs);
    if (result) return result;
    if (!record) purge.run(nowMs);
    const { storedKey, toolId, key, digest, claimId, leaseMs, ttlMs } = claim;
    const names = [storedKey, JSON.stringify(toolId), JSON.stringify(key), digest, claimId];
    const version = (record?.version ?? 0) + 1;
    const times = [record?.createdAtMs ?? nowMs, nowMs, nowMs + leaseMs, nowMs + ttlMs];
    replace.run(...names, version, ...times);
    return { outcome: 'claimed' };
  };
}

function createOwnerWrites(context: WriteContext) {
  const OWNED = `stored_key = ? AND claim_id = ? AND state = 'PENDING' AND expires_at_ms > ?`;
  const extend = context.db.prepare(`
    UPDATE idempotency_records SET version = version + 1, updated_at_ms = ?, lease_until_ms = ?
    WHERE ${OWNED}`);
  const settle = context.db.prepare(`
    UPDATE idempotency_records SET
      version = version + 1, updated_at_ms = ?, expires_at_ms = ?,
      state = ?, result = ?, not_kept = ?, error = ?
    WHERE ${OWNED}`);
  const drop = context.db.prepare(`DELETE FROM idempotency_records WHERE ${OWNED}`);

  return {
    renewKey(storedKey: string, claimId: string, leaseMs: number): boolean {
      const nowMs = context.nowMs();
      return isOne(extend.run(nowMs, nowMs + leaseMs, storedKey, claimId, nowMs));
    },

    settleKey(storedKey: string, claimId: string, settlement: Settlement): boolean {
      const nowMs = context.nowMs();
      const { state, result, notKept, error } = toSettledColumns(settlement);
      const times = [nowMs, nowMs + settlement.ttlMs];
      const outcome = [state, result, notKept, error];
      return isOne(settle.run(...times, ...outcome, storedKey, claimId, nowMs));
    },

    releaseKey(storedKey: string, claimId: string): boolean {
      return isOne(drop.run(storedKey, claimId, context.nowMs()));
    },
  };
}

function createFlushKeys(context: WriteContext) {
  // What has expired goes with the rest, but was forgotten already and does not count.
  const count = context.db.prepare(`
    SELECT count(*) AS records FROM idempotency_records
    WHERE stored_key >= ? AND stored_key < ? AND expires_at_ms > ?`);
  const dropAll = context.db.prepare(
    'DELETE FROM idempotency_records WHERE stored_key >= ? AND stored_key < ?',
  );
  const dropOne = context.db.prepare(
    'DELETE FROM idempotency_records WHERE stored_key = ? AND expires_at_ms > ?',
  );

  return (toolId: string, key?: string): number => {
    const nowMs = context.nowMs();
    if (key !== undefined) return Number(dropOne.run(toStoredKey(toolId, key), nowMs).changes);
    const { first, end } = toKeyRange(toolId);
    const records = getRow<{ records: number }>(count, first, end, nowMs)?.records ?? 0;
    dropAll.run(first, end);
    return records;
  };
}

function isOne({ changes }: { readonly changes: number | bigint }): boolean {
  return Number(changes) === 1;
}
