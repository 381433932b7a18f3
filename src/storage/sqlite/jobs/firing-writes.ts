import type { JobId } from '../../../core/ids.ts';
import type { Firing } from '../../../core/schedule/job.ts';
import type { FiringRef } from '../../../core/schedule/job-store.ts';
import { MAX_KEPT_FIRINGS } from '../../job-rules.ts';
import { getRow } from '../rows.ts';
import type { WriteContext } from '../write-context.ts';

export interface Firings {
  /** Adds what became of slots, oldest first, then drops old settled ones beyond the newest `keep`. */
  add(jobId: JobId, firings: readonly Firing[], keep?: number): void;
  /** The number of a fired slot whose outcome nobody was told yet. */
  findUnsettled(ref: FiringRef): number | undefined;
  settle(no: number): void;
  removeAll(jobId: JobId): void;
}

export function createFirings({ db }: WriteContext): Firings {
  const insertFired = db.prepare(`
    INSERT INTO job_firings (job_id, at_ms, first_slot_ms, last_slot_ms, slots, run_no, settled)
    SELECT ?1, ?2, ?3, ?3, 1, no, 0 FROM runs WHERE id = ?4`);
  const insertMissed = db.prepare(`
    INSERT INTO job_firings (
      job_id, at_ms, first_slot_ms, last_slot_ms, slots, reason, settled
    ) VALUES (?, ?, ?, ?, ?, ?, 1)`);
  const prune = db.prepare(`
    DELETE FROM job_firings WHERE job_id = ?1 AND settled = 1 AND no <= (
      SELECT no FROM job_firings WHERE job_id = ?1 ORDER BY no DESC LIMIT 1 OFFSET ?2
    )`);
  const selectUnsettled = db.prepare(`
    SELECT job_firings.no FROM job_firings JOIN runs ON runs.no = job_firings.run_no
    WHERE job_firings.job_id = ? AND first_slot_ms = ? AND runs.id = ? AND settled = 0`);
  const settle = db.prepare('UPDATE job_firings SET settled = 1 WHERE no = ?');
  const removeAll = db.prepare('DELETE FROM job_firings WHERE job_id = ?');

  function insert(firing: Firing): void {
    const { jobId, atMs } = firing;
    if (firing.outcome === 'fired') {
      insertFired.run(jobId, atMs, firing.slotMs, firing.runId);
    } else {
      const { reason, firstSlotMs, lastSlotMs, count } = firing;
      insertMissed.run(jobId, atMs, firstSlotMs, lastSlotMs, count, reason);
    }
  }

  return {
    add(jobId, firings, keep = MAX_KEPT_FIRINGS) {
      for (const firing of firings) insert(firing);
      prune.run(jobId, Math.max(0, Math.trunc(keep)));
    },

    findUnsettled: ({ jobId, slotMs, runId }) =>
      getRow<{ no: number }>(selectUnsettled, jobId, slotMs, runId)?.no,

    settle: (no) => void settle.run(no),
    removeAll: (jobId) => void removeAll.run(jobId),
  };
}
