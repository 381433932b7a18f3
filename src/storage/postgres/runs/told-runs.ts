import type { RunId } from '../../../core/ids.ts';

/** Of runs beyond this many it is forgotten when they were told of: then what was sent before that is in doubt. */
const MAX_RUNS = 4_096;

/**
 * When runs were last told of, here or by another node, counted in tellings. Of a commit that was on its way meanwhile,
 * nobody can tell whether it came before or after.
 */
export interface ToldRuns {
  now(): number;
  tell(runId: RunId): void;
  isToldSince(runId: RunId, then: number): boolean;
  tellAll(): void;
}

export function createToldRuns(): ToldRuns {
  let count = 0;
  /** Runs that are not below may have been told of as late as this. */
  let lost = 0;
  // The one that was told of longest ago comes first.
  const toldAt = new Map<RunId, number>();
  return {
    now: () => count,

    tell(runId) {
      count += 1;
      toldAt.delete(runId);
      toldAt.set(runId, count);
      const [oldest] = toldAt;
      if (toldAt.size <= MAX_RUNS || !oldest) return;
      toldAt.delete(oldest[0]);
      lost = oldest[1];
    },

    isToldSince: (runId, then) => (toldAt.get(runId) ?? lost) > then,

    tellAll() {
      toldAt.clear();
      count += 1;
      lost = count;
    },
  };
}
