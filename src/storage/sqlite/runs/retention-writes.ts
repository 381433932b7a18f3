import type { ChainPosition } from '../../../core/events/hash-chain.ts';
import type { Cut } from '../../../core/events/retention.ts';
import { getRow } from '../rows.ts';
import type { WriteContext } from '../write-context.ts';
import { partOf } from './log-parts.ts';

interface PrunedRow {
  readonly no: number;
  readonly floorSeq: number;
  readonly finalSeq: number;
}

/** The hash of the last event that goes stays behind: the chain is checked from there on. */
export function createPruneEvents({ db }: WriteContext) {
  const selectRun = db.prepare(`
    SELECT no, floor_seq AS floorSeq, final_seq AS finalSeq
    FROM runs WHERE id = ? AND recorded = 1 AND final_seq IS NOT NULL`);
  const selectLast = db.prepare(`
    SELECT seq, hash FROM events WHERE part_no = ${partOf('?1', '?2')} AND seq <= ?2
    ORDER BY seq DESC LIMIT 1`);
  const remove = db.prepare(`
    DELETE FROM events WHERE seq <= ?2 AND part_no IN (
      SELECT ?1 UNION ALL SELECT no FROM log_parts WHERE run_no = ?1 AND first_seq <= ?2)`);
  const removeParts = db.prepare(`
    DELETE FROM log_parts WHERE run_no = ?1 AND first_seq <= ?2
      AND NOT EXISTS (SELECT 1 FROM events WHERE part_no = log_parts.no)`);
  const setFloor = db.prepare('UPDATE runs SET floor_seq = ?, floor_hash = ? WHERE no = ?');

  function pruneRun({ runId, through }: Cut): number {
    const run = getRow<PrunedRow>(selectRun, runId);
    if (!run) return 0;
    const end = Math.min(through, run.finalSeq - 1);
    const last = getRow<ChainPosition>(selectLast, run.no, end);
    if (!last || last.seq <= run.floorSeq) return 0;
    setFloor.run(last.seq, last.hash, run.no);
    const deleted = Number(remove.run(run.no, last.seq).changes);
    removeParts.run(run.no, last.seq);
    return deleted;
  }

  return (cuts: readonly Cut[]): number =>
    cuts.reduce((deleted, cut) => deleted + pruneRun(cut), 0);
}
