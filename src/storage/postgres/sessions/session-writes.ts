import type { SessionId } from '../../../core/ids.ts';
import type { MessagePlace, SealedMessage, Session } from '../../../core/sessions/session.ts';
import type { AgentPlace, OpenedSession } from '../../../core/sessions/session-store.ts';
import { isOpenTo, newSession, sessionExists } from '../../session-rules.ts';
import { toStatements } from '../bulk.ts';
import type { Database } from '../database.ts';
import { readMark } from '../mark.ts';
import type { Statement } from '../statement.ts';
import type { Transaction } from '../transact-once.ts';
import { appendMessages } from './append-messages.ts';
import {
  decodeSession,
  decodeSessionRow,
  digestPlace,
  INSERT_SESSIONS,
  SESSION_COLUMNS,
  SESSION_ROW_COLUMNS,
  type SessionRow,
  type StoredSession,
  type StoredSessionRow,
} from './session-row.ts';

export interface SessionWriteDeps {
  readonly database: Database;
  readonly nowMs: (() => number) | undefined;
}

const EXISTS = 'select 1 as found from sessions where id = $1';

const FIND_ACTIVE = `
  select ${SESSION_COLUMNS} from sessions where closed_at_ms is null
  and id = (select session_id from active_sessions where agent_id = $1 and place = $2)`;

const HOLD_PLACE =
  'insert into active_sessions (agent_id, place) values ($1, $2) on conflict do nothing';
const LOCK_PLACE = 'select from active_sessions where agent_id = $1 and place = $2 for update';

const SET_ACTIVE =
  'insert into active_sessions (agent_id, place, session_id) values ($1, $2, $3) ' +
  'on conflict (agent_id, place) do update set session_id = excluded.session_id';

/** Sessions before active places, as everybody takes them who locks both. */
const LOCK_SESSION = `select ${SESSION_ROW_COLUMNS} from sessions where id = $1 for update`;

export async function openSession(
  { database, nowMs }: SessionWriteDeps,
  place: AgentPlace,
  id: SessionId,
): Promise<OpenedSession> {
  const values = [place.agentId, digestPlace(place)];
  const findActive = { name: 'find_active_session', text: FIND_ACTIVE, values };
  // Nearly always there is one, and no lock is needed to see it.
  const active = findOpen(await database.read<StoredSession>(findActive), place);
  if (active) return { session: active, created: false };
  return database.transact<OpenedSession>(async (transaction) => {
    const [, , held, isTaken, mark] = await Promise.all([
      transaction.query({ name: 'hold_place', text: HOLD_PLACE, values }),
      transaction.query({ name: 'lock_place', text: LOCK_PLACE, values }),
      transaction.query<StoredSession>(findActive),
      sessionIdExists(transaction, id),
      readMark(transaction, nowMs?.()),
    ]);
    const found = findOpen(held, place);
    if (found) {
      return { value: { session: found, created: false }, writes: [], xid: mark.xid };
    }
    if (isTaken) throw sessionExists(id);
    const session = newSession(place, id, mark.nowMs);
    return { value: { session, created: true }, writes: insertActive(session), xid: mark.xid };
  });
}

function findOpen([stored]: readonly StoredSession[], place: AgentPlace): Session | undefined {
  const session = stored && decodeSession(stored);
  return session && isOpenTo(session, place) ? session : undefined;
}

export function createSession(
  { database, nowMs }: SessionWriteDeps,
  place: AgentPlace,
  id: SessionId,
): Promise<Session> {
  return database.transact(async (transaction) => {
    const [isTaken, mark] = await Promise.all([
      sessionIdExists(transaction, id),
      readMark(transaction, nowMs?.()),
    ]);
    if (isTaken) throw sessionExists(id);
    const session = newSession(place, id, mark.nowMs);
    return { value: session, writes: insertActive(session), xid: mark.xid };
  });
}

function insertActive(session: Session): Statement[] {
  const values = [session.agentId, digestPlace(session), session.id];
  const setActive = { name: 'set_active_session', text: SET_ACTIVE, values };
  return [...toStatements(INSERT_SESSIONS, [session]), setActive];
}

export async function sessionIdExists(transaction: Transaction, id: SessionId): Promise<boolean> {
  const found = await transaction.query({ name: 'session_exists', text: EXISTS, values: [id] });
  return found.length > 0;
}

export function appendToSession(
  { database, nowMs }: SessionWriteDeps,
  id: SessionId,
  messages: readonly SealedMessage[],
): Promise<MessagePlace | undefined> {
  return database.transact(async (transaction) => {
    const [session, mark] = await Promise.all([
      lockSession(transaction, id),
      readMark(transaction, nowMs?.()),
    ]);
    const appended = appendMessages(session, messages, mark.nowMs);
    return { value: appended?.place, writes: appended?.writes ?? [], xid: mark.xid };
  });
}

export async function lockSession(
  transaction: Transaction,
  id: string,
): Promise<SessionRow | undefined> {
  const statement = { name: 'lock_session', text: LOCK_SESSION, values: [id] };
  const [stored] = await transaction.query<StoredSessionRow>(statement);
  return stored && decodeSessionRow(stored);
}
