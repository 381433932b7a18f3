import {
  type CallClaim,
  type CallEnd,
  MAX_COUNTED_CALLS,
  type NewCall,
  type OpenResult,
} from '../../core/integrations/receipt-store.ts';
import { type CallRow, judgeOpen, MAX_REMOVED_CALLS } from '../call-rules.ts';
import { toJsonText } from './json-text.ts';
import { getRow } from './rows.ts';
import type { WriteContext } from './write-context.ts';

export function createReceiptWrites(context: WriteContext) {
  const { db } = context;
  const removeOld = db.prepare(`
    DELETE FROM integration_calls WHERE no IN (
      SELECT no FROM integration_calls WHERE expires_at_ms <= ? ORDER BY expires_at_ms LIMIT ?
    )`);
  const OWNED = 'scope = ? AND call_id = ? AND claim_id = ?';
  const renew = db.prepare(`UPDATE integration_calls SET lease_until_ms = ? WHERE ${OWNED}`);
  const settle = db.prepare(`
    UPDATE integration_calls SET claim_id = NULL, is_final = ?, result = ? WHERE ${OWNED}`);
  const remove = db.prepare(`DELETE FROM integration_calls WHERE ${OWNED} AND result IS NULL`);
  const unclaim = db.prepare(`UPDATE integration_calls SET claim_id = NULL WHERE ${OWNED}`);
  const open = createOpenCall(context);

  return {
    openCall(call: NewCall): OpenResult {
      removeOld.run(context.nowMs(), MAX_REMOVED_CALLS);
      return open(call);
    },

    renewCall: (claim: CallClaim, leaseMs: number): boolean =>
      renew.run(context.nowMs() + leaseMs, ...toKey(claim)).changes > 0,

    settleCall: (claim: CallClaim, { result, isFinal }: CallEnd): boolean =>
      settle.run(isFinal ? 1 : 0, JSON.stringify(result), ...toKey(claim)).changes > 0,

    releaseCall(claim: CallClaim): void {
      remove.run(...toKey(claim));
      unclaim.run(...toKey(claim));
    },
  };
}

function createOpenCall({ db, nowMs }: WriteContext): (call: NewCall) => OpenResult {
  const select = db.prepare(`
    SELECT digest, request_id, claim_id, lease_until_ms, is_final, result
    FROM integration_calls WHERE scope = ? AND call_id = ?`);
  // Counts no further than it has to. A call that was not made does not count.
  const count = db.prepare(`
    SELECT count(*) AS calls FROM (
      SELECT 1 FROM integration_calls
      WHERE integration_id = ? AND owner = ? AND opened_at_ms > ? AND (claim_id IS NOT NULL OR is_final = 1)
        AND NOT (scope = ? AND call_id = ?)
      LIMIT ${MAX_COUNTED_CALLS}
    )`);
  const upsert = db.prepare(`
    INSERT INTO integration_calls (
      scope, call_id, digest, request_id, integration_id, owner,
      claim_id, lease_until_ms, opened_at_ms, expires_at_ms
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (scope, call_id) DO UPDATE SET
      request_id = excluded.request_id, integration_id = excluded.integration_id, owner = excluded.owner,
      claim_id = excluded.claim_id, lease_until_ms = excluded.lease_until_ms,
      opened_at_ms = excluded.opened_at_ms, expires_at_ms = excluded.expires_at_ms`);

  return (call) => {
    const now = nowMs();
    const key = [toJsonText(call.scope), toJsonText(call.callId)] as const;
    const step = judgeOpen(getRow<CallRow>(select, ...key), call, now);
    if (step.step === 'answer') return step.result;
    const { requestId, isResumed } = step;
    const of = [toJsonText(call.integrationId), toJsonText(call.owner)] as const;
    const recent = getRow<{ calls: number }>(count, ...of, now - call.windowMs, ...key);
    const times = [now + call.leaseMs, now, call.keepMs === undefined ? null : now + call.keepMs];
    upsert.run(...key, call.digest, requestId, ...of, call.claimId, ...times);
    return { outcome: 'opened', requestId, isResumed, recentCalls: recent?.calls ?? 0 };
  };
}

function toKey({ scope, callId, claimId }: CallClaim): [string, string, string] {
  return [toJsonText(scope), toJsonText(callId), claimId];
}
