import { clampLimit } from '../../../core/clamp-limit.ts';
import type { AgentId, SessionId } from '../../../core/ids.ts';
import type { Place, Session, SessionMessage } from '../../../core/sessions/session.ts';
import type {
  AgentPlace,
  MessagePage,
  SessionFilter,
  SessionPage,
  SessionSummary,
} from '../../../core/sessions/session-store.ts';
import { isOpenTo, MAX_PAGE_MESSAGES, MAX_PAGE_SESSIONS } from '../../session-rules.ts';
import type { Database, Statement } from '../driver.ts';
import { parseJsonText, toJsonText } from '../json-text.ts';
import { allRows, type Bindable, getRow } from '../rows.ts';
import { createFindSaying, createGlance } from './session-glances.ts';
import {
  type MessageRow,
  SELECT_SESSION,
  type SessionRow,
  toMessage,
  toSession,
} from './session-row.ts';

export function createSessionReads(db: Database) {
  const select = db.prepare(`${SELECT_SESSION} WHERE id = ?`);
  const selectActiveAgent = db.prepare(
    'SELECT agent_id FROM active_agents WHERE channel = ? AND user_id = ? AND room_id = ?',
  );
  const selectSummary = db.prepare(`
    SELECT text, exchange, position FROM session_summaries
    WHERE session_no = (SELECT no FROM sessions WHERE id = ?)`);

  return {
    find(id: SessionId): Session | undefined {
      const row = getRow<SessionRow>(select, id);
      return row && toSession(row);
    },

    findActive: createFindActive(db),
    list: createList(db),
    readMessages: createReadMessages(db),
    glance: createGlance(db),
    findSaying: createFindSaying(db),

    findSummary(id: SessionId): SessionSummary | undefined {
      const row = getRow<SummaryRow>(selectSummary, id);
      if (!row) return undefined;
      const { text, exchange, position } = row;
      return { text: parseJsonText(text), through: { exchange, position } };
    },

    findActiveAgent: (place: Place): AgentId | undefined =>
      getRow<{ agent_id: AgentId }>(selectActiveAgent, ...placeKey(place))?.agent_id,
  };
}

interface SummaryRow {
  readonly text: string;
  readonly exchange: number;
  readonly position: number;
}

/** A place as it is stored: channel, user, room. */
export function placeKey({ channel, userId, roomId }: Place): [string, string, string] {
  return [toJsonText(channel), toJsonText(userId), toJsonText(roomId)];
}

/** The session that messages in a place go on in. A closed one is not, nor one that its owner may not see. */
export function createFindActive(db: Database) {
  const select = db.prepare(`
    ${SELECT_SESSION} JOIN active_sessions AS active ON active.session_no = sessions.no
    WHERE active.agent_id = ? AND active.channel = ? AND active.user_id = ? AND active.room_id = ?
      AND sessions.closed_at_ms IS NULL`);

  return (place: AgentPlace): Session | undefined => {
    const row = getRow<SessionRow>(select, place.agentId, ...placeKey(place));
    const session = row && toSession(row);
    return session && isOpenTo(session, place) ? session : undefined;
  };
}

function createList(db: Database) {
  const statements = new Map<string, Statement>();

  /** Each combination of filters is prepared once, on its index. */
  function prepare(terms: readonly string[]): Statement {
    const where = terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`;
    const sql = `${SELECT_SESSION} ${where} ORDER BY updated_at_ms DESC, id DESC LIMIT ?`;
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  return (filter: SessionFilter): SessionPage => {
    const { terms, values } = toTerms(filter);
    const size = clampLimit(filter.limit, MAX_PAGE_SESSIONS);
    // One more than asked for tells whether there is a next page.
    const rows = allRows<SessionRow>(prepare(terms), ...values, size + 1);
    const sessions = rows.slice(0, size).map(toSession);
    const last = rows.length > size ? sessions.at(-1) : undefined;
    return { sessions, next: last && { updatedAtMs: last.updatedAtMs, id: last.id } };
  };
}

function toTerms(filter: SessionFilter): { terms: string[]; values: Bindable[] } {
  const terms: string[] = [];
  const values: Bindable[] = [];
  const texts = [
    ['agent_id = ?', filter.agentId],
    ['channel = ?', toJsonText(filter.channel)],
    ['user_id = ?', toJsonText(filter.userId)],
    ['room_id = ?', toJsonText(filter.roomId)],
    ['owner = ?', toJsonText(filter.owner)],
  ] as const;
  for (const [term, value] of texts) {
    if (value === undefined || value === null) continue;
    terms.push(term);
    values.push(value);
  }
  if (!filter.includeClosed) terms.push('closed_at_ms IS NULL');
  if (filter.before) {
    terms.push('(updated_at_ms, id) < (?, ?)');
    values.push(filter.before.updatedAtMs, filter.before.id);
  }
  return { terms, values };
}

function createReadMessages(db: Database) {
  const SELECT = `
    SELECT exchange, position, role, content, tool_name, tool_call_id, status, run_id, at_ms
    FROM session_messages WHERE session_no = (SELECT no FROM sessions WHERE id = ?)`;
  const NEWEST_FIRST = 'ORDER BY exchange DESC, position DESC LIMIT ?';
  const selectNewest = db.prepare(`${SELECT} ${NEWEST_FIRST}`);
  const selectBefore = db.prepare(`${SELECT} AND (exchange, position) < (?, ?) ${NEWEST_FIRST}`);

  return (id: SessionId, { before, limit }: MessagePage): SessionMessage[] => {
    const size = clampLimit(limit, MAX_PAGE_MESSAGES);
    const rows = before
      ? allRows<MessageRow>(selectBefore, id, before.exchange, before.position, size)
      : allRows<MessageRow>(selectNewest, id, size);
    return rows.reverse().map(toMessage);
  };
}
