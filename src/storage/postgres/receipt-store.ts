import {
  type CallClaim,
  MAX_COUNTED_CALLS,
  type NewCall,
  type OpenResult,
  type ReceiptStore,
} from '../../core/integrations/receipt-store.ts';
import type { JsonObject } from '../../core/json.ts';
import { type CallRow, judgeOpen, MAX_REMOVED_CALLS } from '../call-rules.ts';
import { holdLock } from './advisory-lock.ts';
import { readMark } from './mark.ts';
import type { Statement } from './statement.ts';
import { clockSql } from './statement.ts';
import type { StoreDeps } from './store-deps.ts';
import { encodeText } from './text-codec.ts';
import type { Transaction } from './transact-once.ts';
import { writeOnce } from './write-once.ts';

const SELECT = `
  select digest, request_id, claim_id, lease_until_ms, is_final, result
  from integration_calls where scope = $1 and call_id = $2`;

// Counts no further than it has to. A call that was not made does not count.
const COUNT = `
  select count(*) as calls from (
    select 1 from integration_calls
    where integration_id = $1 and owner = $2 and opened_at_ms > $3 and (claim_id is not null or is_final)
      and not (scope = $4 and call_id = $5)
    limit ${MAX_COUNTED_CALLS}
  ) as recent`;

const UPSERT = `
  insert into integration_calls (
    scope, call_id, digest, request_id, integration_id, owner,
    claim_id, lease_until_ms, opened_at_ms, expires_at_ms
  ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict (scope, call_id) do update set
    request_id = excluded.request_id, integration_id = excluded.integration_id, owner = excluded.owner,
    claim_id = excluded.claim_id, lease_until_ms = excluded.lease_until_ms,
    opened_at_ms = excluded.opened_at_ms, expires_at_ms = excluded.expires_at_ms`;

/** Those that another node removes at the same moment are left to it. */
const REMOVE_OLD = `
  delete from integration_calls where (scope, call_id) in (
    select scope, call_id from integration_calls where expires_at_ms <= $1
    order by expires_at_ms limit $2 for update skip locked
  )`;

const OWNED = 'scope = $1 and call_id = $2 and claim_id = $3';
const RENEW = `
  update integration_calls set lease_until_ms = ${clockSql('$4')} + $5::bigint where ${OWNED} returning 1`;
const SETTLE = `
  update integration_calls set claim_id = null, is_final = $4, result = $5 where ${OWNED} returning 1`;
const REMOVE = `delete from integration_calls where ${OWNED} and result is null`;
const UNCLAIM = `update integration_calls set claim_id = null where ${OWNED}`;
const FIND = 'select digest, result from integration_calls where scope = $1 and call_id = $2';

export function createReceiptStore({ database, nowMs }: StoreDeps): ReceiptStore {
  return {
    open: (call) =>
      database.transact(async (transaction) => {
        // The call's lock first, on every node: nobody waits in a circle.
        await holdLock(transaction, 'integration_call', encodeText(`${call.scope} ${call.callId}`));
        await holdLock(
          transaction,
          'integration_rate',
          encodeText(`${call.integrationId} ${call.owner}`),
        );
        const mark = await readMark(transaction, nowMs?.());
        const { value, writes } = await planOpen(transaction, call, mark.nowMs);
        return { value, writes, xid: mark.xid };
      }),

    async renew(claim, leaseMs) {
      const values = [...toKey(claim), nowMs?.() ?? null, leaseMs];
      const renewed = await database.write({ name: 'renew_call', text: RENEW, values });
      return renewed.length === 1;
    },

    async settle(claim, { result, isFinal }) {
      const values = [...toKey(claim), isFinal, JSON.stringify(result)];
      const settled = await writeOnce(database, { name: 'settle_call', text: SETTLE, values });
      return settled.length === 1;
    },

    async release(claim) {
      const values = toKey(claim);
      await database.write({ name: 'remove_call', text: REMOVE, values });
      await database.write({ name: 'unclaim_call', text: UNCLAIM, values });
    },

    async find({ scope, callId }) {
      const values = [encodeText(scope), encodeText(callId)];
      const [row] = await database.read<{ digest: string; result: string | null }>({
        name: 'find_call',
        text: FIND,
        values,
      });
      if (!row) return undefined;
      const result = row.result === null ? undefined : (JSON.parse(row.result) as JsonObject);
      return { digest: row.digest, result };
    },
  };
}

async function planOpen(
  transaction: Transaction,
  call: NewCall,
  nowMs: number,
): Promise<{ readonly value: OpenResult; readonly writes: readonly Statement[] }> {
  const key = [encodeText(call.scope), encodeText(call.callId)];
  const of = [encodeText(call.integrationId), encodeText(call.owner)];
  const [rows, counts] = await Promise.all([
    transaction.query<CallRow>({ name: 'select_call', text: SELECT, values: key }),
    transaction.query<{ calls: number }>({
      name: 'count_calls',
      text: COUNT,
      values: [...of, nowMs - call.windowMs, ...key],
    }),
  ]);
  const removeOld = {
    name: 'remove_old_calls',
    text: REMOVE_OLD,
    values: [nowMs, MAX_REMOVED_CALLS],
  };
  const step = judgeOpen(rows[0], call, nowMs);
  if (step.step === 'answer') return { value: step.result, writes: [] };
  const { requestId, isResumed } = step;
  const expiresAtMs = call.keepMs === undefined ? null : nowMs + call.keepMs;
  const times = [nowMs + call.leaseMs, nowMs, expiresAtMs];
  const values = [...key, call.digest, requestId, ...of, call.claimId, ...times];
  const upsert = { name: 'upsert_call', text: UPSERT, values };
  const recentCalls = counts[0]?.calls ?? 0;
  const value: OpenResult = { outcome: 'opened', requestId, isResumed, recentCalls };
  return { value, writes: [removeOld, upsert] };
}

function toKey({ scope, callId, claimId }: CallClaim): string[] {
  return [encodeText(scope), encodeText(callId), claimId];
}
