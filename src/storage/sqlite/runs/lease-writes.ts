import { createIds } from '../../../core/create-ids.ts';
import type { RunId } from '../../../core/ids.ts';
import type { Lease } from '../../../core/runs/run.ts';
import type {
  ClaimedRun,
  ClaimRequest,
  LeaseRef,
  RenewedLease,
} from '../../../core/runs/run-store.ts';
import { getRow } from '../rows.ts';
import type { WriteContext } from '../write-context.ts';
import type { AddEvents } from './event-writes.ts';
import { getHead, type RunHead } from './run-heads.ts';
import { type RunRow, SELECT_RUN, toRun } from './run-row.ts';

interface LeaseTerms {
  readonly owner: string;
  readonly leaseMs: number;
}

export type GrantLease = (head: RunHead, terms: LeaseTerms) => Lease;

/** Gives a run to an owner, under a fresh id: whoever held it before is fenced off from now on. */
export function createGrantLease(context: WriteContext): GrantLease {
  const ids = createIds(() => context.nowMs());
  const grant = context.db.prepare(`
    UPDATE runs SET
      lease_id = ?, lease_owner = ?, lease_expires_at_ms = ?,
      started_at_ms = coalesce(started_at_ms, ?), parked = 0,
      status = CASE WHEN cancel_requested THEN 'cancelling' ELSE 'running' END
    WHERE no = ?`);

  return (head, { owner, leaseMs }) => {
    const nowMs = context.nowMs();
    const lease = { id: ids.lease(), runId: head.id, expiresAtMs: nowMs + leaseMs };
    grant.run(lease.id, owner, lease.expiresAtMs, nowMs, head.no);
    context.heads.forget(head.id);
    return lease;
  };
}

interface Candidate {
  readonly id: RunId;
  readonly created_at_ms: number;
}

export function createClaim(context: WriteContext, addEvents: AddEvents, grantLease: GrantLease) {
  const selectRun = context.db.prepare(`${SELECT_RUN} WHERE runs.id = ?`);
  const findDue = createFindDue(context);

  return (request: ClaimRequest): ClaimedRun | undefined => {
    const due = findDue(request.only);
    const before = due && getRow<RunRow>(selectRun, due.id);
    if (!before) return undefined;
    const resumed = before.started_at_ms !== null;
    const head = getHead(context.heads, before.id);
    // A run that comes back from waiting has lost nothing: its claim is neither a start nor a recovery.
    if (!resumed) addEvents(head, [request.started]);
    else if (before.parked === 0) addEvents(head, [request.recovered]);
    const lease = grantLease(head, request);
    const row = getRow<RunRow>(selectRun, before.id) ?? before;
    return { run: toRun(row), lease, resumed, cancelRequested: row.cancel_requested === 1 };
  };
}

function createFindDue(context: WriteContext) {
  const { db } = context;
  // Runs of one session go one after the other; one that rests for want of frames is in nobody's way meanwhile.
  const AT_FRONT = `(
    exchange IS NULL OR NOT EXISTS (
      SELECT 1 FROM runs AS ahead
      WHERE ahead.session_id = runs.session_id AND ahead.exchange < runs.exchange
        AND ahead.ended_at_ms IS NULL AND ahead.awaits_frames = 0
    )
  )`;
  // Two statements, each on its index: one with OR would read and sort every open run.
  const selectQueued = db.prepare(`
    SELECT id, created_at_ms FROM runs WHERE status = 'queued' AND is_held = 0 AND ${AT_FRONT}
    ORDER BY created_at_ms, id LIMIT 1`);
  const selectExpired = db.prepare(`
    SELECT id, created_at_ms FROM runs WHERE lease_expires_at_ms <= ?
    ORDER BY created_at_ms, id LIMIT 1`);
  const selectOnly = db.prepare(`
    SELECT id, created_at_ms FROM runs
    WHERE id = ? AND ((status = 'queued' AND is_held = 0 AND ${AT_FRONT}) OR lease_expires_at_ms <= ?)`);

  return (only: RunId | undefined): Candidate | undefined => {
    const nowMs = context.nowMs();
    if (only !== undefined) return getRow<Candidate>(selectOnly, only, nowMs);
    const queued = getRow<Candidate>(selectQueued);
    const expired = getRow<Candidate>(selectExpired, nowMs);
    return queued && expired ? older(queued, expired) : (queued ?? expired);
  };
}

/** Ids are ASCII: JavaScript and SQLite order them alike. */
function older(a: Candidate, b: Candidate): Candidate {
  if (a.created_at_ms !== b.created_at_ms) return a.created_at_ms < b.created_at_ms ? a : b;
  return a.id < b.id ? a : b;
}

export function createLeaseWrites(context: WriteContext) {
  const { db, heads } = context;
  const selectHeld = db.prepare('SELECT cancel_requested FROM runs WHERE id = ? AND lease_id = ?');
  const extend = db.prepare('UPDATE runs SET lease_expires_at_ms = ? WHERE id = ?');
  const FREE = 'lease_id = NULL, lease_owner = NULL, lease_expires_at_ms = 0';
  const free = db.prepare(`UPDATE runs SET ${FREE} WHERE id = ? AND lease_id = ?`);
  // The index on open runs finds them; a prefix is compared as text, since LIKE would give _ and % a meaning.
  const freeOwned = db.prepare(`
    UPDATE runs SET ${FREE}
    WHERE lease_expires_at_ms IS NOT NULL AND lease_id IS NOT NULL
      AND substr(lease_owner, 1, length(?1)) = ?1`);

  return {
    renew(leases: readonly LeaseRef[], leaseMs: number): RenewedLease[] {
      const expiresAtMs = context.nowMs() + leaseMs;
      return leases.map(({ runId, leaseId }) => {
        const row = getRow<{ cancel_requested: number }>(selectHeld, runId, leaseId);
        if (row) extend.run(expiresAtMs, runId);
        const cancelRequested = row?.cancel_requested === 1;
        return { runId, leaseId, held: row !== undefined, cancelRequested };
      });
    },

    release(leases: readonly LeaseRef[]): void {
      for (const { runId, leaseId } of leases) {
        if (Number(free.run(runId, leaseId).changes) === 0) continue;
        heads.forget(runId);
        context.touchQueue();
      }
    },

    takeOver(ownerPrefix: string): number {
      const freed = Number(freeOwned.run(ownerPrefix).changes);
      if (freed === 0) return 0;
      heads.clear();
      context.touchQueue();
      return freed;
    },
  };
}
