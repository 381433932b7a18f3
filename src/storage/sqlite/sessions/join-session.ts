import type { SessionId } from '../../../core/ids.ts';
import type { CreateResult } from '../../../core/runs/run-store.ts';
import { getRow } from '../rows.ts';
import type { SessionPlace } from '../runs/run-heads.ts';
import type { WriteContext } from '../write-context.ts';
import { createTakeExchange } from './message-writes.ts';

export interface FoundSession {
  readonly no: number;
  /** A run of it is open and does not rest: the next one has to wait. */
  readonly isBusy: boolean;
}

type Refusal = Extract<
  CreateResult,
  { readonly outcome: 'session_missing' | 'session_closed' | 'session_full' }
>;

/** How a new run gets its place in a session: looking first, since a refusal must change nothing. */
export function createJoinSession(context: WriteContext) {
  const { db } = context;
  const BUSY = 'exchange IS NOT NULL AND ended_at_ms IS NULL AND awaits_frames = 0';
  const select = db.prepare('SELECT no, closed_at_ms FROM sessions WHERE id = ?');
  const selectOpen = db.prepare(`
    SELECT 1 FROM runs
    WHERE session_id = ? AND ${BUSY} LIMIT 1`);
  // By the session's own index: the plus keeps the one of all queued runs out. Counts no further than it has to.
  const countQueued = db.prepare(`
    SELECT count(*) AS runs FROM (
      SELECT 1 FROM runs
      WHERE session_id = ? AND ${BUSY} AND +status = 'queued'
      LIMIT ?
    )`);
  const takeExchange = createTakeExchange(context);

  function isFull(id: SessionId, maxWaiting: number): boolean {
    const max = Math.max(0, Math.trunc(maxWaiting));
    return (getRow<{ runs: number }>(countQueued, id, max)?.runs ?? 0) >= max;
  }

  return {
    find(id: SessionId, maxWaiting: number | undefined): FoundSession | Refusal {
      const row = getRow<{ no: number; closed_at_ms: number | null }>(select, id);
      if (!row) return { outcome: 'session_missing' };
      if (row.closed_at_ms !== null) return { outcome: 'session_closed' };
      if (maxWaiting !== undefined && isFull(id, maxWaiting)) return { outcome: 'session_full' };
      return { no: row.no, isBusy: getRow(selectOpen, id) !== undefined };
    },

    join: ({ no }: FoundSession): SessionPlace => ({ sessionNo: no, exchange: takeExchange(no) }),
  };
}

export function isRefusal(found: FoundSession | Refusal): found is Refusal {
  return 'outcome' in found;
}
