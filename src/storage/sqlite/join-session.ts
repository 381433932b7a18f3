import type { SessionId } from '../../core/ids.ts';
import type { CreateResult } from '../../core/runs/run-store.ts';
import { createTakeExchange } from './message-writes.ts';
import { getRow } from './rows.ts';
import type { SessionPlace } from './run-heads.ts';
import type { WriteContext } from './write-context.ts';

export interface FoundSession {
  readonly no: number;
  /** A run of it is open: the next one has to wait. */
  readonly isBusy: boolean;
}

type Absence = Extract<CreateResult, { readonly outcome: 'session_missing' | 'session_closed' }>;

/** How a new run gets its place in a session: looking first, since a refusal must change nothing. */
export function createJoinSession(context: WriteContext) {
  const { db } = context;
  const select = db.prepare('SELECT no, closed_at_ms FROM sessions WHERE id = ?');
  const selectOpen = db.prepare(`
    SELECT 1 FROM runs
    WHERE session_id = ? AND exchange IS NOT NULL AND ended_at_ms IS NULL LIMIT 1`);
  const takeExchange = createTakeExchange(context);

  return {
    find(id: SessionId): FoundSession | Absence {
      const row = getRow<{ no: number; closed_at_ms: number | null }>(select, id);
      if (!row) return { outcome: 'session_missing' };
      if (row.closed_at_ms !== null) return { outcome: 'session_closed' };
      return { no: row.no, isBusy: getRow(selectOpen, id) !== undefined };
    },

    join: ({ no }: FoundSession): SessionPlace => ({ sessionNo: no, exchange: takeExchange(no) }),
  };
}

export function isAbsence(found: FoundSession | Absence): found is Absence {
  return 'outcome' in found;
}
