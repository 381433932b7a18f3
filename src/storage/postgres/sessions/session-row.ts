import { createHash } from 'node:crypto';
import type { AgentId, SessionId } from '../../../core/ids.ts';
import type { Place, Session } from '../../../core/sessions/session.ts';
import { decodeOwner, encodeOwner } from '../../owner-column.ts';
import { bulkInsert, bulkUpdate, type Column, names } from '../bulk.ts';
import { decodeText, encodeText } from '../text-codec.ts';

/** What a message changes of its session. Changed in place under the session's lock, written back at the end. */
export interface SessionRow {
  readonly id: SessionId;
  readonly closedAtMs: number | undefined;
  title: string;
  messageCount: number;
  lastExchange: number;
  updatedAtMs: number;
}

export interface StoredSessionRow {
  readonly id: string;
  readonly title: string;
  readonly message_count: number;
  readonly last_exchange: number;
  readonly updated_at_ms: number;
  readonly closed_at_ms: number | null;
}

export interface StoredSession extends StoredSessionRow {
  readonly agent_id: string;
  readonly owner: string | null;
  readonly channel: string;
  readonly user_id: string;
  readonly room_id: string;
  readonly forked_from: string | null;
  readonly created_at_ms: number;
}

const ROW_COLUMNS: readonly Column<SessionRow>[] = [
  ['id', 'text', (row) => row.id],
  ['title', 'text', (row) => encodeText(row.title)],
  ['message_count', 'bigint', (row) => row.messageCount],
  ['last_exchange', 'bigint', (row) => row.lastExchange],
  ['updated_at_ms', 'bigint', (row) => row.updatedAtMs],
];

export const SESSION_ROW_COLUMNS = `${names(ROW_COLUMNS)}, closed_at_ms`;
export const UPDATE_SESSIONS = bulkUpdate('sessions', ROW_COLUMNS);

const SESSION_FIELDS: readonly Column<Session>[] = [
  ...ROW_COLUMNS,
  ['closed_at_ms', 'bigint', (session) => session.closedAtMs],
  ['agent_id', 'text', (session) => session.agentId],
  ['owner', 'text', (session) => encodeOwner(session.owner)],
  ['channel', 'text', (session) => encodeText(session.channel)],
  ['user_id', 'text', (session) => encodeText(session.userId)],
  ['room_id', 'text', (session) => encodeText(session.roomId)],
  ['forked_from', 'text', (session) => session.forkedFrom],
  ['created_at_ms', 'bigint', (session) => session.createdAtMs],
];

export const SESSION_COLUMNS = names(SESSION_FIELDS);
export const INSERT_SESSIONS = bulkInsert('sessions', [
  ...SESSION_FIELDS,
  ['place', 'text', digestPlace],
]);

/** Names of any length, with any character, as one that fits an index. */
export function digestPlace({ channel, userId, roomId }: Place): string {
  return createHash('sha256')
    .update(JSON.stringify([channel, userId, roomId]))
    .digest('hex');
}

export function decodeSessionRow(stored: StoredSessionRow): SessionRow {
  return {
    id: stored.id as SessionId,
    closedAtMs: stored.closed_at_ms ?? undefined,
    title: decodeText(stored.title),
    messageCount: stored.message_count,
    lastExchange: stored.last_exchange,
    updatedAtMs: stored.updated_at_ms,
  };
}

export function decodeSession(stored: StoredSession): Session {
  return {
    ...decodeSessionRow(stored),
    agentId: stored.agent_id as AgentId,
    owner: decodeOwner(stored.owner),
    channel: decodeText(stored.channel),
    userId: decodeText(stored.user_id),
    roomId: decodeText(stored.room_id),
    forkedFrom: (stored.forked_from ?? undefined) as SessionId | undefined,
    createdAtMs: stored.created_at_ms,
  };
}
