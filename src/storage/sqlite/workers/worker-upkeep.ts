import type { WorkerId } from '../../../core/ids.ts';
import type { PruneWorkers, RenewWorkers } from '../../../core/workers/worker-store.ts';
import { allRows } from '../rows.ts';
import type { WriteContext } from '../write-context.ts';

/** Workers looked at by one removal: how many of them have more events than are kept is found by looking. */
const MAX_PRUNED_WORKERS = 100;

/** Keeping hosted workers alive, and old rows out. */
export function createWorkerUpkeep({ db, nowMs }: WriteContext) {
  const renew = db.prepare(`
    UPDATE workers SET host_expires_at_ms = ?, last_heartbeat_at_ms = ?
    WHERE id = ? AND epoch = ? AND host = ?`);
  // The newest event says how far the log goes, and stays.
  const selectLong = db.prepare(`
    SELECT no, latest_seq - ? AS last FROM workers
    WHERE latest_seq > ? AND EXISTS (
      SELECT 1 FROM worker_events WHERE worker_no = workers.no AND seq <= latest_seq - ?
    ) LIMIT ${MAX_PRUNED_WORKERS}`);
  const selectEnded = db.prepare(`
    SELECT no, latest_seq - 1 AS last FROM workers
    WHERE stopped_at_ms < ? AND EXISTS (
      SELECT 1 FROM worker_events WHERE worker_no = workers.no AND seq < latest_seq
    ) LIMIT ${MAX_PRUNED_WORKERS}`);
  const removeEvents = db.prepare(`
    DELETE FROM worker_events WHERE worker_no = ?1 AND seq IN (
      SELECT seq FROM worker_events WHERE worker_no = ?1 AND seq <= ?2 ORDER BY seq LIMIT ?3
    )`);
  const removeRequests = db.prepare(`
    DELETE FROM worker_requests WHERE (worker_no, request_id) IN (
      SELECT worker_no, request_id FROM worker_requests WHERE settled_at_ms < ?
      ORDER BY settled_at_ms LIMIT ?
    )`);

  const selectForgotten = db.prepare(`
    SELECT no, id FROM workers
    WHERE stopped_at_ms < ? AND NOT EXISTS (
      SELECT 1 FROM worker_events WHERE worker_no = workers.no AND seq < latest_seq
    ) AND NOT EXISTS (SELECT 1 FROM worker_requests WHERE worker_no = workers.no)
    ORDER BY stopped_at_ms LIMIT ${MAX_PRUNED_WORKERS}`);
  const removeLog = db.prepare('DELETE FROM worker_events WHERE worker_no = ?');
  const removeProjection = db.prepare(`
    DELETE FROM projections WHERE projection = 'codex_worker_summary' AND entity_id = ?`);
  const remove = db.prepare('DELETE FROM workers WHERE no = ?');

  /** Those of which nothing but the last event is left. */
  function forget(beforeMs: number): number {
    const forgotten = allRows<{ no: number; id: WorkerId }>(selectForgotten, beforeMs);
    for (const { no, id } of forgotten) {
      removeLog.run(no);
      removeProjection.run(id);
      remove.run(no);
    }
    return forgotten.length;
  }

  return {
    renewWorkers({ host, workers }: RenewWorkers): WorkerId[] {
      const expiresAtMs = nowMs() + host.leaseMs;
      return workers
        .filter(({ id, epoch }) => renew.run(expiresAtMs, nowMs(), id, epoch, host.id).changes > 0)
        .map(({ id }) => id);
    },

    pruneWorkers({ maxEvents, maxAgeMs, forgetAfterMs, limit }: PruneWorkers): number {
      const beforeMs = nowMs() - maxAgeMs;
      const kept = Math.max(1, maxEvents);
      const long = allRows<{ no: number; last: number }>(selectLong, kept, kept, kept);
      const ended = allRows<{ no: number; last: number }>(selectEnded, beforeMs);
      let left = limit;
      for (const { no, last } of [...long, ...ended]) {
        if (left > 0) left -= Number(removeEvents.run(no, last, left).changes);
      }
      const answers = Number(removeRequests.run(beforeMs, limit).changes);
      return limit - left + answers + forget(nowMs() - forgetAfterMs);
    },
  };
}
