import type { Session } from '../../../core/sessions/session.ts';
import type { ForkSession } from '../../../core/sessions/session-store.ts';
import { type CopiedMessages, forkSession, sessionExists } from '../../session-rules.ts';
import { toStatements } from '../bulk.ts';
import { readMark } from '../mark.ts';
import { MESSAGE_COLUMNS } from './message-row.ts';
import {
  decodeSession,
  INSERT_SESSIONS,
  SESSION_COLUMNS,
  type StoredSession,
} from './session-row.ts';
import { type SessionWriteDeps, sessionIdExists } from './session-writes.ts';

// One statement, so one look: an exchange that ends meanwhile is copied whole or not at all.
const COPY_MESSAGES = `
  with copied as (
    insert into session_messages (session_id, ${MESSAGE_COLUMNS})
    select $2, ${MESSAGE_COLUMNS} from session_messages m
    where session_id = $1 and exchange <= coalesce($3::bigint, exchange) and not exists (
      select from runs r where r.session_id = $1 and r.exchange is not null
      and r.exchange = m.exchange and r.ended_at_ms is null and not r.awaits_frames
    )
    returning exchange
  )
  select count(*) as "messageCount", coalesce(max(exchange), 0) as "lastExchange" from copied`;

// A summary that speaks of more than the fork holds would be wrong for it.
const COPY_SUMMARY = `
  insert into session_summaries (session_id, text, exchange, position)
  select $2, text, exchange, position from session_summaries
  where session_id = $1 and exchange <= $3`;

const FIND_ORIGIN = `select ${SESSION_COLUMNS} from sessions where id = $1`;

const NOTHING: CopiedMessages = { messageCount: 0, lastExchange: 0 };

export function forkToSession(
  { database, nowMs }: SessionWriteDeps,
  { from, id, throughExchange }: ForkSession,
): Promise<Session | undefined> {
  return database.transact(async (transaction) => {
    const [[origin], isTaken, mark] = await Promise.all([
      transaction.query<StoredSession>({ name: 'find_origin', text: FIND_ORIGIN, values: [from] }),
      sessionIdExists(transaction, id),
      readMark(transaction, nowMs?.()),
    ]);
    if (!origin) return { value: undefined, writes: [], xid: undefined };
    if (isTaken) throw sessionExists(id);
    const values = [from, id, throughExchange ?? null];
    const copy = { name: 'copy_messages', text: COPY_MESSAGES, values };
    const [copied] = await transaction.query<CopiedMessages>(copy);
    const session = forkSession(decodeSession(origin), id, {
      copied: copied ?? NOTHING,
      nowMs: mark.nowMs,
    });
    const bound = [from, id, session.lastExchange];
    const copySummary = { name: 'copy_summary', text: COPY_SUMMARY, values: bound };
    const writes = [...toStatements(INSERT_SESSIONS, [session]), copySummary];
    return { value: session, writes, xid: mark.xid };
  });
}
