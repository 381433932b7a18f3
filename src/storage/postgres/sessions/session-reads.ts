import { clampLimit } from '../../../core/clamp-limit.ts';
import type { AgentId, SessionId } from '../../../core/ids.ts';
import type { Place, Session, SessionMessage } from '../../../core/sessions/session.ts';
import type {
  MessagePage,
  SessionFilter,
  SessionPage,
  SessionSummary,
} from '../../../core/sessions/session-store.ts';
import { MAX_PAGE_MESSAGES, MAX_PAGE_SESSIONS } from '../../session-rules.ts';
import { isStorableId } from '../../tables/column.ts';
import type { Database } from '../database.ts';
import { decodeText, encodeText } from '../text-codec.ts';
import { decodeMessage, MESSAGE_COLUMNS, type StoredMessage } from './message-row.ts';
import { decodeSession, digestPlace, SESSION_COLUMNS, type StoredSession } from './session-row.ts';

const FIND = `select ${SESSION_COLUMNS} from sessions where id = $1`;
const FIND_SUMMARY = 'select text, exchange, position from session_summaries where session_id = $1';
const FIND_AGENT = 'select agent_id from active_agents where place = $1';

export async function findSession(database: Database, id: SessionId): Promise<Session | undefined> {
  if (!isStorableId(id)) return undefined;
  const statement = { name: 'find_session', text: FIND, values: [id] };
  const [stored] = await database.read<StoredSession>(statement);
  return stored && decodeSession(stored);
}

export async function listSessions(
  database: Database,
  filter: SessionFilter,
): Promise<SessionPage> {
  const size = clampLimit(filter.limit, MAX_PAGE_SESSIONS);
  // One more than asked for tells whether there is a next page.
  const values: (string | number)[] = [size + 1];
  const conditions = filter.includeClosed ? [] : ['closed_at_ms is null'];
  const names = ['list_sessions', ...(filter.includeClosed ? [] : ['open'])];
  for (const [column, value] of termsOf(filter)) {
    if (value === undefined) continue;
    if (!isStorableId(value)) return { sessions: [], next: undefined };
    conditions.push(`${column} = $${values.push(value)}`);
    names.push(column);
  }
  const { before } = filter;
  if (before) {
    const cursor = `($${values.push(before.updatedAtMs)}, $${values.push(before.id)})`;
    conditions.push(`(updated_at_ms, id) < ${cursor}`);
    names.push('before');
  }
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const stored = await database.read<StoredSession>({
    name: names.join('_'),
    text: `select ${SESSION_COLUMNS} from sessions ${where} order by updated_at_ms desc, id desc limit $1`,
    values,
  });
  const sessions = stored.slice(0, size).map(decodeSession);
  const last = sessions.at(-1);
  const hasMore = stored.length > size && last !== undefined;
  return { sessions, next: hasMore ? { updatedAtMs: last.updatedAtMs, id: last.id } : undefined };
}

/** A whole place is found by its digest, which has an index. */
function termsOf(filter: SessionFilter): [column: string, value: string | undefined][] {
  const { agentId, channel, userId, roomId, owner } = filter;
  const text = (value: string | undefined) => (value === undefined ? value : encodeText(value));
  if (channel !== undefined && userId !== undefined && roomId !== undefined) {
    return [
      ['agent_id', agentId],
      ['place', digestPlace({ channel, userId, roomId })],
      ['owner', text(owner)],
    ];
  }
  return [
    ['agent_id', agentId],
    ['channel', text(channel)],
    ['user_id', text(userId)],
    ['room_id', text(roomId)],
    ['owner', text(owner)],
  ];
}

export async function readMessages(
  database: Database,
  id: SessionId,
  { limit, before }: MessagePage,
): Promise<SessionMessage[]> {
  if (!isStorableId(id)) return [];
  const values: (string | number)[] = [id, clampLimit(limit, MAX_PAGE_MESSAGES)];
  const cursor = before
    ? `and (exchange, position) < ($${values.push(before.exchange)}, $${values.push(before.position)})`
    : '';
  const stored = await database.read<StoredMessage>({
    name: before ? 'read_messages_before' : 'read_messages',
    text:
      `select ${MESSAGE_COLUMNS} from session_messages where session_id = $1 ${cursor} ` +
      'order by exchange desc, position desc limit $2',
    values,
  });
  return stored.reverse().map(decodeMessage);
}

interface StoredSummary {
  readonly text: string;
  readonly exchange: number;
  readonly position: number;
}

export async function findSummary(
  database: Database,
  id: SessionId,
): Promise<SessionSummary | undefined> {
  if (!isStorableId(id)) return undefined;
  const statement = { name: 'find_summary', text: FIND_SUMMARY, values: [id] };
  const [stored] = await database.read<StoredSummary>(statement);
  if (!stored) return undefined;
  const { text, exchange, position } = stored;
  return { text: decodeText(text), through: { exchange, position } };
}

export async function findActiveAgent(
  database: Database,
  place: Place,
): Promise<AgentId | undefined> {
  const statement = { name: 'find_active_agent', text: FIND_AGENT, values: [digestPlace(place)] };
  const [row] = await database.read<{ agent_id: AgentId }>(statement);
  return row?.agent_id;
}
