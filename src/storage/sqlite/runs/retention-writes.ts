import type { ChainPosition } from '../../../core/events/hash-chain.ts';
import type { Cut } from '../../../core/events/retention.ts';
import { getRow } from '../rows.ts';
import type { WriteContext } from '../write-context.ts';

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
  const selectLast = db.prepare(
    'SELECT seq, hash FROM events WHERE run_no = ? AND seq <= ? ORDER BY seq DESC LIMIT 1',
  );
  const remove = db.prepare('DELETE FROM events WHERE run_no = ? AND seq <= ?');
  const setFloor = db.prepare('UPDATE runs SET floor_seq = ?, floor_hash = ? WHERE no = ?');

  function pruneRun({ runId, through }: Cut): number {
    const run = getRow<PrunedRow>(selectRun, runId);
    if (!run) return 0;
    const end = Math.min(through, run.finalSeq - 1);
    const last = getRow<ChainPosition>(selectLast, run.no, end);
    if (!last || last.seq <= run.floorSeq) return 0;
    setFloor.run(last.seq, last.hash, run.no);
    return Number(remove.run(run.no, last.seq).changes);
  }

  return (cuts: readonly Cut[]): number =>
    cuts.reduce((deleted, cut) => deleted + pruneRun(cut), 0);
}
