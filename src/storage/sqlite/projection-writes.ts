import type { NewCheckpoint, SinkReport } from '../../core/projection/projection-store.ts';
import { toJsonText } from './json-text.ts';
import { getRow } from './rows.ts';
import type { WriteContext } from './write-context.ts';

export function createProjectionWrites({ db, nowMs }: WriteContext) {
  const select = db.prepare(
    'SELECT revision FROM projections WHERE projection = ? AND entity_id = ?',
  );
  const upsert = db.prepare(`
    INSERT INTO projections (
      projection, entity_id, revision, seq, version, summary_hash, projected_at_ms, is_open, state
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (projection, entity_id) DO UPDATE SET
      revision = excluded.revision, seq = excluded.seq, version = excluded.version,
      summary_hash = excluded.summary_hash, projected_at_ms = excluded.projected_at_ms,
      is_open = excluded.is_open, state = excluded.state`);
  const hold = db.prepare(`
    UPDATE projection_writer SET owner = ?, expires_at_ms = ?
    WHERE owner = ? OR expires_at_ms <= ?`);
  const release = db.prepare('UPDATE projection_writer SET expires_at_ms = 0 WHERE owner = ?');
  const report = db.prepare(`
    UPDATE projection_writer SET
      failures = ?, error = ?,
      failed_at_ms = CASE WHEN ? > 0 THEN ? ELSE failed_at_ms END`);

  return {
    putCheckpoint(checkpoint: NewCheckpoint, expectedRevision: number): boolean {
      const { projection, id } = checkpoint;
      const row = getRow<{ revision: number }>(select, projection, id);
      if ((row?.revision ?? 0) !== expectedRevision) return false;
      upsert.run(
        projection,
        id,
        expectedRevision + 1,
        checkpoint.seq,
        checkpoint.version,
        checkpoint.summaryHash,
        checkpoint.projectedAtMs,
        checkpoint.isOpen ? 1 : 0,
        JSON.stringify(checkpoint.state),
      );
      return true;
    },

    holdProjectionWriter(owner: string, leaseMs: number): boolean {
      const atMs = nowMs();
      return Number(hold.run(owner, atMs + leaseMs, owner, atMs).changes) > 0;
    },

    releaseProjectionWriter(owner: string): void {
      release.run(owner);
    },

    reportProjectionHealth({ failures, error }: SinkReport): void {
      report.run(failures, toJsonText(error), failures, nowMs());
    },
  };
}
