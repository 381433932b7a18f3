import type { AgentId, SessionId } from '../../../core/ids.ts';
import type {
  MessagePlace,
  Place,
  SealedMessage,
  Session,
} from '../../../core/sessions/session.ts';
import type {
  AgentPlace,
  ClosedSession,
  OpenedSession,
  SessionSummary,
} from '../../../core/sessions/session-store.ts';
import { newSession, placeOf } from '../../session-rules.ts';
import { toJsonText } from '../json-text.ts';
import type { WriteContext } from '../write-context.ts';
import { createForkSession } from './fork-session.ts';
import { createAddMessage, createTakeExchange } from './message-writes.ts';
import { createFindActive, placeKey } from './session-reads.ts';
import { toSession } from './session-row.ts';
import { createSessionRows, type SessionRows } from './session-rows.ts';

export function createSessionWrites(context: WriteContext) {
  const rows = createSessionRows(context);
  return {
    ...createOpenWrites(context, rows),
    closeSession: createClose(context, rows),
    renameSession: createRename(context, rows),
    forkSession: createForkSession(context, rows),
    appendMessages: createAppendMessages(context),
    saveSummary: createSaveSummary(context),
    setActiveAgent: createSetActiveAgent(context),
  };
}

function createOpenWrites(context: WriteContext, rows: SessionRows) {
  const { db } = context;
  const findActive = createFindActive(db);
  const setActive = db.prepare(`
    INSERT INTO active_sessions (agent_id, channel, user_id, room_id, session_no)
    VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (agent_id, channel, user_id, room_id) DO UPDATE
    SET session_no = excluded.session_no`);

  function createSession(place: AgentPlace, id: SessionId): Session {
    rows.assertNew(id);
    const session = newSession(place, id, context.nowMs());
    setActive.run(place.agentId, ...placeKey(place), rows.insert(session));
    return session;
  }

  return {
    createSession,

    openSession(place: AgentPlace, id: SessionId): OpenedSession {
      const active = findActive(place);
      if (active) return { session: active, created: false };
      return { session: createSession(place, id), created: true };
    },

    activateSession(id: SessionId): Session | undefined {
      const row = rows.find(id);
      if (!row || row.closed_at_ms !== null) return undefined;
      setActive.run(row.agent_id, row.channel, row.user_id, row.room_id, row.no);
      return toSession(row);
    },
  };
}

function createClose(context: WriteContext, rows: SessionRows) {
  const close = context.db.prepare(
    'UPDATE sessions SET closed_at_ms = ?1, updated_at_ms = ?1 WHERE no = ?2',
  );

  return (id: SessionId): ClosedSession | undefined => {
    const row = rows.find(id);
    if (!row) return undefined;
    const session = toSession(row);
    if (session.closedAtMs !== undefined) return { session, alreadyClosed: true };
    const nowMs = context.nowMs();
    close.run(nowMs, row.no);
    return {
      session: { ...session, closedAtMs: nowMs, updatedAtMs: nowMs },
      alreadyClosed: false,
    };
  };
}

function createRename(context: WriteContext, rows: SessionRows) {
  const rename = context.db.prepare('UPDATE sessions SET title = ? WHERE no = ?');

  return (id: SessionId, title: string): Session | undefined => {
    const row = rows.find(id);
    if (!row) return undefined;
    rename.run(toJsonText(title), row.no);
    return { ...toSession(row), title };
  };
}

export type AppendMessages = (
  id: SessionId,
  messages: readonly SealedMessage[],
) => MessagePlace | undefined;

function createAppendMessages(context: WriteContext): AppendMessages {
  const rows = createSessionRows(context);
  const takeExchange = createTakeExchange(context);
  const addMessage = createAddMessage(context);

  return (id, messages) => {
    const row = rows.find(id);
    if (!row || row.closed_at_ms !== null) return undefined;
    const exchange = takeExchange(row.no);
    messages.forEach((message, index) => {
      addMessage({ ...placeOf(exchange, index), sessionNo: row.no, runId: undefined, message });
    });
    return placeOf(exchange, Math.max(0, messages.length - 1));
  };
}

function createSaveSummary(context: WriteContext) {
  const save = context.db.prepare(`
    INSERT INTO session_summaries (session_no, text, exchange, position)
    SELECT no, ?, ?, ? FROM sessions WHERE id = ?
    ON CONFLICT (session_no) DO UPDATE
    SET text = excluded.text, exchange = excluded.exchange, position = excluded.position
    WHERE (excluded.exchange, excluded.position) >= (exchange, position)`);

  return (id: SessionId, { text, through }: SessionSummary): void => {
    save.run(toJsonText(text), through.exchange, through.position, id);
  };
}

function createSetActiveAgent(context: WriteContext) {
  const set = context.db.prepare(`
    INSERT INTO active_agents (channel, user_id, room_id, agent_id) VALUES (?, ?, ?, ?)
    ON CONFLICT (channel, user_id, room_id) DO UPDATE SET agent_id = excluded.agent_id`);

  return (place: Place, agentId: AgentId): void => {
    set.run(...placeKey(place), agentId);
  };
}
