import type { RunId } from '../../../core/ids.ts';
import type { Database } from '../driver.ts';
import { allRows, getRow } from '../rows.ts';
import { runOf } from './log-parts.ts';

/** Older news than this is left to the readers' slow poll. */
const MAX_EVENTS = 10_000;

/** Which runs got events since the last call, by any process: events are numbered as they are stored. */
export function createChangedRuns(db: Database): () => RunId[] {
  const selectNewest = db.prepare('SELECT max(rowid) AS rowid FROM events');
  const selectChanged = db.prepare(`
    SELECT id FROM runs WHERE no IN (SELECT ${runOf('part_no')} FROM events WHERE rowid > ?)`);
  const newest = () => getRow<{ rowid: number | null }>(selectNewest)?.rowid ?? 0;
  let last = newest();
  return () => {
    const after = Math.max(last, newest() - MAX_EVENTS);
    last = newest();
    return allRows<{ id: RunId }>(selectChanged, after).map(({ id }) => id);
  };
}
