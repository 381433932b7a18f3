import type { RunId } from '../ids.ts';

/** Runs that somebody has to look at: each once, in the order they came, and never more than `maxRuns`. */
export interface PendingRuns {
  add(runId: RunId): void;
  take(): RunId | undefined;
  /** True once after runs had to be dropped: whoever looks can no longer tell what it missed. */
  takeOverflow(): boolean;
}

export function createPendingRuns(maxRuns: number, onAdd: () => void): PendingRuns {
  const runs = new Set<RunId>();
  let hasOverflown = false;

  return {
    add(runId) {
      if (runs.size >= maxRuns && !runs.has(runId)) {
        hasOverflown = true;
        runs.clear();
      }
      runs.add(runId);
      onAdd();
    },

    take() {
      const [runId] = runs;
      if (runId !== undefined) runs.delete(runId);
      return runId;
    },

    takeOverflow() {
      const had = hasOverflown;
      hasOverflown = false;
      return had;
    },
  };
}
