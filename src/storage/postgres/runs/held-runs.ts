import type { RunId } from '../../../core/ids.ts';
import { isEnded, type RunRow } from './run-row.ts';

/** As many as one process executes at once, and more. */
const MAX_RUNS = 4_096;

/**
 * Leased runs as this process last left them. Whoever writes because of one says so in the same statement, and is
 * refused when the row has moved on meanwhile.
 */
export interface HeldRuns {
  /** A copy, to be changed. Undefined when it has to be loaded. */
  find(runId: RunId): RunRow | undefined;
  /** After a commit that had locked or made them. */
  note(rows: Iterable<RunRow>): void;
  forget(runId: RunId): void;
}

export function createHeldRuns(): HeldRuns {
  const held = new Map<RunId, RunRow>();
  return {
    find: (runId) => {
      const row = held.get(runId);
      return row && { ...row };
    },
    note(rows) {
      for (const row of rows) {
        held.delete(row.id);
        if (row.lease === undefined || isEnded(row)) continue;
        // Appends do not need the texts, and they may be long.
        held.set(row.id, { ...row, message: undefined, output: undefined });
      }
      for (const runId of held.keys()) {
        if (held.size <= MAX_RUNS) return;
        held.delete(runId);
      }
    },
    forget: (runId) => {
      held.delete(runId);
    },
  };
}
