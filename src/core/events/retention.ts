import type { RunId } from '../ids.ts';

/**
 * Deleting old events. Whatever it is asked, a store deletes nothing of a run that has not ended or whose records are
 * not written, nor the newest event of any run, and never leaves a hole: what goes is a log's beginning.
 */
export interface EventRetention {
  /** Runs that have ended, are recorded and keep more events than they need to. */
  listPrunable(filter: PrunableFilter): Promise<PrunableRun[]>;

  /** Deletes the beginnings of logs and moves their floors, in one transaction. Answers how many events are gone. */
  prune(cuts: readonly Cut[]): Promise<number>;
}

export interface PrunableFilter {
  /** Only runs that ended at least this long ago, by the store's clock. */
  readonly endedForMs: number;
  /** Only runs with more events than this. Below 1 counts as 1. */
  readonly keepEvents: number;
  readonly limit: number;
}

export interface PrunableRun {
  readonly runId: RunId;
  readonly floor: number;
  readonly lastSeq: number;
}

/** The events of a run up to this `seq`, itself included. */
export interface Cut {
  readonly runId: RunId;
  readonly through: number;
}

export interface CutPlan {
  /** The newest events of each run that stay. */
  readonly keepEvents: number;
  /** Of one batch: whoever waits for the writer waits no longer than this many deletions take. */
  readonly maxEvents: number;
}

/** Oldest first. A long run is cut in several steps; short ones share a batch. */
export function* planBatches(runs: readonly PrunableRun[], plan: CutPlan): Generator<Cut[]> {
  let batch: Cut[] = [];
  let room = plan.maxEvents;
  for (const { runId, floor, lastSeq } of runs) {
    const end = lastSeq - plan.keepEvents;
    for (let from = floor; from < end; ) {
      const through = Math.min(end, from + room);
      batch.push({ runId, through });
      room -= through - from;
      from = through;
      if (room > 0) continue;
      yield batch;
      batch = [];
      room = plan.maxEvents;
    }
  }
  if (batch.length > 0) yield batch;
}
