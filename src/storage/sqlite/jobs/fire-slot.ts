import type { RunId } from '../../../core/ids.ts';
import type { FireResult, FireSlot } from '../../../core/schedule/job-store.ts';
import { firingsOf, isStillDue, moveOn, toFireResult } from '../../job-rules.ts';
import { getRow } from '../rows.ts';
import type { CreateRun } from '../runs/create-run.ts';
import type { WriteContext } from '../write-context.ts';
import type { Firings } from './firing-writes.ts';
import type { JobRows } from './job-rows.ts';

export interface FireParts {
  readonly createRun: CreateRun;
  readonly jobs: JobRows;
  readonly firings: Firings;
}

/** The slot, its run and its place in the history, in the one transaction that makes it fire once. */
export function createFireSlot(context: WriteContext, parts: FireParts) {
  const { createRun, jobs, firings } = parts;
  const { db } = context;
  const selectPaused = db.prepare('SELECT 1 FROM scheduler_state WHERE is_paused = 1');
  const selectOpen = db.prepare(
    'SELECT id FROM runs WHERE job_id = ? AND ended_at_ms IS NULL ORDER BY no LIMIT 1',
  );
  // Of removed jobs too: their runs go on.
  const countOpen = db.prepare(
    'SELECT count(*) AS runs FROM runs WHERE job_id IS NOT NULL AND ended_at_ms IS NULL',
  );
  const setJob = db.prepare('UPDATE runs SET job_id = ? WHERE id = ?');

  function findObstacle({ jobId, maxOpenRuns }: FireSlot): FireResult | undefined {
    const open = getRow<{ id: RunId }>(selectOpen, jobId);
    if (open) return { outcome: 'overlap', runId: open.id };
    const runs = getRow<{ runs: number }>(countOpen)?.runs ?? 0;
    return runs >= maxOpenRuns ? { outcome: 'capacity' } : undefined;
  }

  return (fired: FireSlot): FireResult => {
    const job = jobs.find(fired.jobId);
    if (!isStillDue(job, fired) || !job.isEnabled || getRow(selectPaused)) {
      return { outcome: 'taken' };
    }
    const obstacle = findObstacle(fired);
    if (obstacle) return obstacle;
    const result = createRun(fired.run, fired.drafts, fired.options);
    if (result.outcome === 'created') {
      setJob.run(fired.jobId, fired.run.id);
      jobs.save(moveOn(job, fired));
      firings.add(fired.jobId, firingsOf(fired, context.nowMs()), fired.keepFirings);
    }
    return toFireResult(fired, result);
  };
}
