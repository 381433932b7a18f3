import type { AgentId, RunId, SessionId } from '../../../core/ids.ts';
import type {
  MessageRole,
  MessageStatus,
  Session,
  SessionMessage,
} from '../../../core/sessions/session.ts';
import { decodeOwner } from '../../owner-column.ts';
import { parseJsonText } from '../json-text.ts';

export const SELECT_SESSION = 'SELECT sessions.* FROM sessions';

export interface SessionRow {
  readonly no: number;
  readonly id: SessionId;
  readonly agent_id: AgentId;
  readonly owner: string | null;
  readonly channel: string;
  readonly user_id: string;
  readonly room_id: string;
  readonly title: string;
  readonly message_count: number;
  readonly last_exchange: number;
  readonly forked_from: SessionId | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly closed_at_ms: number | null;
}

export function toSession(row: SessionRow): Session {
  return {
    id: row.id,
    agentId: row.agent_id,
    owner: decodeOwner(row.owner),
    channel: parseJsonText(row.channel),
    userId: parseJsonText(row.user_id),
    roomId: parseJsonText(row.room_id),
    title: parseJsonText(row.title),
    messageCount: row.message_count,
    lastExchange: row.last_exchange,
    forkedFrom: row.forked_from ?? undefined,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    closedAtMs: row.closed_at_ms ?? undefined,
  };
}

export interface MessageRow {
  readonly exchange: number;
  readonly position: number;
  readonly role: MessageRole;
  readonly content: string;
  readonly tool_name: string | null;
  readonly tool_call_id: string | null;
  readonly status: MessageStatus | null;
  readonly run_id: RunId | null;
  readonly at_ms: number;
}

export function toMessage(row: MessageRow): SessionMessage {
  return {
    exchange: row.exchange,
    position: row.position,
    role: row.role,
    content: parseJsonText(row.content),
    toolName: parseJsonText(row.tool_name),
    toolCallId: parseJsonText(row.tool_call_id),
    status: row.status ?? undefined,
    runId: row.run_id ?? undefined,
    atMs: row.at_ms,
  };
}
