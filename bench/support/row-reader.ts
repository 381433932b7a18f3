import { join } from 'node:path';
import { connect } from '../../src/storage/sqlite/driver.ts';

export interface RowReader {
  /** Milliseconds to read the rows of the run, with nothing made of them. */
  readMs(count: number): number;
  close(): void;
}

/** The limit of resuming: the rows, straight from the database. */
export function openRowReader(root: string, runId: string): RowReader {
  const db = connect(join(root, '.openclawssy/pincer.db'), { readOnly: true });
  const select = db.prepare(`
    SELECT seq, id, type, at_ms, actor, payload, redactions, hash FROM events
    WHERE part_no IN (
      SELECT no FROM runs WHERE id = ?1
      UNION ALL SELECT log_parts.no FROM log_parts JOIN runs ON runs.no = run_no WHERE runs.id = ?1
    ) ORDER BY seq`);
  return {
    readMs(count) {
      const startedAt = performance.now();
      const rows = select.all(runId);
      const elapsedMs = performance.now() - startedAt;
      if (rows.length !== count) throw new Error(`${rows.length} rows instead of ${count}`);
      return elapsedMs;
    },
    close: () => db.close(),
  };
}
