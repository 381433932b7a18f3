import type { RunId, SessionId } from '../../../core/ids.ts';
import type { LoadedSessions } from '../runs/batch-sessions.ts';
import type { RunWrite } from '../runs/run-write.ts';
import type { Transaction } from '../transact-once.ts';
import { decodeSessionRow, SESSION_ROW_COLUMNS, type StoredSessionRow } from './session-row.ts';

// After the runs, in id order, as everybody takes them: two that lock the same sessions never wait in a circle.
const LOCK_SESSIONS = `
  select ${SESSION_ROW_COLUMNS} from sessions
  where id = any($1::text[] || array(
    select session_id from runs where id = any($2::text[]) and exchange is not null
  ))
  order by id for update`;

const LIST_BUSY = `
  select session_id, count(*) filter (where status = 'queued') as queued from runs
  where session_id = any($1::text[])
  and exchange is not null and ended_at_ms is null and not awaits_frames
  group by session_id`;

/**
 * Whether an older run of the same session has not ended and does not rest: a condition on the run with this alias.
 */
export function isBehindSql(run: string): string {
  return (
    `exists (select from runs ahead where ahead.session_id = ${run}.session_id ` +
    `and ahead.exchange < ${run}.exchange and ahead.exchange is not null ` +
    `and ahead.ended_at_ms is null and not ahead.awaits_frames)`
  );
}

const LIST_BEHIND = `select r.id from runs r where r.id = any($1::text[]) and ${isBehindSql('r')}`;

/** Locks the sessions that new runs belong to and those that get messages, and looks who has to wait in them. */
export async function loadSessions(
  transaction: Transaction,
  writes: readonly RunWrite[],
  due: Promise<readonly { readonly id: RunId }[]>,
): Promise<LoadedSessions> {
  const entered = writes.flatMap((write) => write.creation?.sessionId ?? []);
  const adding = writes.filter((write) => write.addsMessages);
  const runIds = adding.flatMap((write) => write.runIds);
  // Which runs these claims may get is known only when the answer is here, and the others need not wait for it.
  if (adding.some((write) => write.claims === 'oldest')) {
    runIds.push(...(await due).map((row) => row.id));
  }
  const named = writes.flatMap((write) => (write.claims === 'named' ? write.runIds : []));
  const [rows, busy, behind] = await Promise.all([
    lockSessions(transaction, entered, runIds),
    listBusy(transaction, entered),
    listBehind(transaction, named),
  ]);
  return { rows: rows.map(decodeSessionRow), busy, behind };
}

async function lockSessions(
  transaction: Transaction,
  sessionIds: readonly SessionId[],
  runIds: readonly RunId[],
): Promise<StoredSessionRow[]> {
  if (sessionIds.length === 0 && runIds.length === 0) return [];
  const values = [sessionIds, runIds];
  return transaction.query({ name: 'lock_sessions', text: LOCK_SESSIONS, values });
}

async function listBusy(
  transaction: Transaction,
  ids: readonly SessionId[],
): Promise<readonly (readonly [SessionId, number])[]> {
  if (ids.length === 0) return [];
  const statement = { name: 'list_busy_sessions', text: LIST_BUSY, values: [ids] };
  const rows = await transaction.query<{ session_id: SessionId; queued: number }>(statement);
  return rows.map((row) => [row.session_id, row.queued]);
}

async function listBehind(
  transaction: Transaction,
  ids: readonly RunId[],
): Promise<readonly RunId[]> {
  if (ids.length === 0) return [];
  const statement = { name: 'list_runs_behind', text: LIST_BEHIND, values: [ids] };
  return (await transaction.query<{ id: RunId }>(statement)).map((row) => row.id);
}
