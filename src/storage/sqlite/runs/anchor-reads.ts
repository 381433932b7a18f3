import { CHAIN_ROOT, CHAIN_START, type ChainPosition } from '../../../core/events/hash-chain.ts';
import type { RunId } from '../../../core/ids.ts';
import type { Database } from '../driver.ts';
import { getRow } from '../rows.ts';

interface AnchorRow {
  readonly seq: number;
  readonly hash: string | null;
}

/** Where what is kept of a run's log begins. */
export function createAnchorReads(db: Database) {
  const selectByNo = db.prepare(
    'SELECT floor_seq AS seq, floor_hash AS hash FROM runs WHERE no = ?',
  );
  const selectById = db.prepare(
    'SELECT floor_seq AS seq, floor_hash AS hash FROM runs WHERE id = ?',
  );

  return {
    ofRow: (runNo: number): ChainPosition => toAnchor(getRow<AnchorRow>(selectByNo, runNo)),
    ofRun: (runId: RunId): ChainPosition => toAnchor(getRow<AnchorRow>(selectById, runId)),
  };
}

function toAnchor(row: AnchorRow | undefined): ChainPosition {
  return row ? { seq: row.seq, hash: row.hash ?? CHAIN_ROOT } : CHAIN_START;
}
