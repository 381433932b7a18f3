import type { RunId, SessionId } from '../../../core/ids.ts';
import type {
  MessagePlace,
  MessageRole,
  MessageStatus,
  SealedMessage,
  SessionMessage,
} from '../../../core/sessions/session.ts';
import { bulkInsert, type Column, names } from '../bulk.ts';
import { decodeText, encodeText } from '../text-codec.ts';

export interface MessageRow extends MessagePlace, SealedMessage {
  readonly sessionId: SessionId;
  readonly runId: RunId | undefined;
  readonly atMs: number;
}

export interface StoredMessage {
  readonly exchange: number;
  readonly position: number;
  readonly role: string;
  readonly content: string;
  readonly tool_name: string | null;
  readonly tool_call_id: string | null;
  readonly status: string | null;
  readonly run_id: string | null;
  readonly at_ms: number;
}

const optional = (text: string | undefined) => (text === undefined ? null : encodeText(text));

const MESSAGE_FIELDS: readonly Column<MessageRow>[] = [
  ['exchange', 'bigint', (message) => message.exchange],
  ['position', 'bigint', (message) => message.position],
  ['role', 'text', (message) => message.role],
  ['content', 'text', (message) => encodeText(message.content)],
  ['tool_name', 'text', (message) => optional(message.toolName)],
  ['tool_call_id', 'text', (message) => optional(message.toolCallId)],
  ['status', 'text', (message) => message.status],
  ['run_id', 'text', (message) => message.runId],
  ['at_ms', 'bigint', (message) => message.atMs],
];

export const MESSAGE_COLUMNS = names(MESSAGE_FIELDS);
export const INSERT_MESSAGES = bulkInsert('session_messages', [
  ['session_id', 'text', (message) => message.sessionId],
  ...MESSAGE_FIELDS,
]);

export function decodeMessage(stored: StoredMessage): SessionMessage {
  return {
    exchange: stored.exchange,
    position: stored.position,
    role: stored.role as MessageRole,
    content: decodeText(stored.content),
    toolName: stored.tool_name === null ? undefined : decodeText(stored.tool_name),
    toolCallId: stored.tool_call_id === null ? undefined : decodeText(stored.tool_call_id),
    status: (stored.status ?? undefined) as MessageStatus | undefined,
    runId: (stored.run_id ?? undefined) as RunId | undefined,
    atMs: stored.at_ms,
  };
}
