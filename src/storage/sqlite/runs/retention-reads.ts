import { clampLimit } from '../../../core/clamp-limit.ts';
import type { PrunableFilter, PrunableRun } from '../../../core/events/retention.ts';
import type { Database } from '../driver.ts';
import { allRows } from '../rows.ts';

const MAX_PAGE_RUNS = 500;

// In the words of the indexes, or they are not used.
const SELECT = `
  SELECT id AS runId, floor_seq AS floor, final_seq AS lastSeq
  FROM runs WHERE recorded = 1 AND floor_seq < final_seq - 1`;

export function createRetentionReads(db: Database, nowMs: () => number) {
  const selectOld = db.prepare(`${SELECT} AND ended_at_ms <= ? ORDER BY ended_at_ms LIMIT ?`);
  // The unary plus keeps this one off the index by end: nearly all runs have ended long ago, and few are long.
  const selectLong = db.prepare(`
    ${SELECT} AND final_seq - floor_seq > ? AND +ended_at_ms <= ?
    ORDER BY final_seq - floor_seq DESC LIMIT ?`);

  return ({ endedForMs, keepEvents, limit }: PrunableFilter): PrunableRun[] => {
    const size = clampLimit(limit, MAX_PAGE_RUNS);
    const endedUntilMs = nowMs() - endedForMs;
    return keepEvents <= 1
      ? allRows<PrunableRun>(selectOld, endedUntilMs, size)
      : allRows<PrunableRun>(selectLong, keepEvents, endedUntilMs, size);
  };
}
