import { RuntimeError } from '../../core/errors.ts';
import { faultPoint } from '../../core/fault-point.ts';
import type { RunId } from '../../core/ids.ts';
import type { Database } from './driver.ts';
import { createForeignCommitProbe } from './foreign-commits.ts';
import { createRunHeads } from './runs/run-heads.ts';
import { isBusy, toStorageFault } from './sqlite-fault.ts';
import { createWriteOps, type WriteRequest } from './write-ops.ts';

export type WriteOutcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: RuntimeError };

export interface BatchReport {
  /** One for each request, in order. */
  readonly outcomes: readonly WriteOutcome[];
  /** With the `seq` of the last event of each. */
  readonly touchedRuns: ReadonlyMap<RunId, number>;
  readonly queueTouched: boolean;
  /** What all of it was stored with. */
  readonly atMs: number;
  /** Another process has written since the last batch. */
  readonly hasForeignCommit: boolean;
}

/** Longer batches gain nothing and make everybody in them wait. */
export const MAX_BATCH_REQUESTS = 1_000;

export type ExecuteBatch = (requests: readonly WriteRequest[], nowMs: number) => BatchReport;

/**
 * Group commit: all requests of a batch share one transaction and one fsync, and none is answered before it. A write
 * throws a RuntimeError only before it has changed anything, so such a throw refuses that write alone. Any other
 * throw, as from a full disk, undoes the batch; its requests then run one by one, and only the culprit fails.
 */
export function createBatchExecutor(db: Database): ExecuteBatch {
  let batchMs = 0;
  let touchedRuns = new Map<RunId, number>();
  let isForeign = false;
  let queueTouched = false;
  const heads = createRunHeads(db);
  const hasForeignCommit = createForeignCommitProbe(db);
  const ops = createWriteOps({
    db,
    heads,
    nowMs: () => batchMs,
    touchRun: (runId, lastSeq) => touchedRuns.set(runId, lastSeq),
    touchQueue: () => {
      queueTouched = true;
    },
  });
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');

  function perform({ op, args }: WriteRequest): WriteOutcome {
    // Requests are typed where they are made; here one table answers for all of them.
    const write = ops[op] as (...args: readonly unknown[]) => unknown;
    try {
      return { ok: true, value: write(...args) };
    } catch (error) {
      if (error instanceof RuntimeError) return { ok: false, error };
      throw error;
    }
  }

  function inTransaction(requests: readonly WriteRequest[]): WriteOutcome[] {
    begin.run();
    try {
      if (hasForeignCommit()) {
        heads.clear();
        isForeign = true;
      }
      const outcomes = requests.map(perform);
      faultPoint('store.before_commit');
      commit.run();
      faultPoint('store.after_commit');
      return outcomes;
    } catch (error) {
      heads.clear();
      // SQLite has rolled back by itself after some faults, as a full disk.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  function oneByOne(requests: readonly WriteRequest[]): WriteOutcome[] {
    return requests.map((request) => {
      try {
        return inTransaction([request])[0] ?? missing();
      } catch (error) {
        return { ok: false, error: toStorageFault(error) };
      }
    });
  }

  function attempt(requests: readonly WriteRequest[]): WriteOutcome[] {
    try {
      return inTransaction(requests);
    } catch (error) {
      // The lock is nobody's fault: waiting for it again for each request would stall them all for minutes.
      if (isBusy(error) || requests.length === 1) return requests.map(() => refuse(error));
      touchedRuns.clear();
      queueTouched = false;
      return oneByOne(requests);
    }
  }

  return (requests, nowMs) => {
    batchMs = nowMs;
    const outcomes = attempt(requests);
    const report = {
      outcomes,
      touchedRuns,
      queueTouched,
      atMs: nowMs,
      hasForeignCommit: isForeign,
    };
    touchedRuns = new Map();
    queueTouched = false;
    isForeign = false;
    return report;
  };
}

function refuse(error: unknown): WriteOutcome {
  return { ok: false, error: toStorageFault(error) };
}

function missing(): WriteOutcome {
  return { ok: false, error: new RuntimeError('internal', 'a write left no outcome') };
}
