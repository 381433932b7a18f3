import { toIso } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import { type AgentId, SESSION_ID_PATTERN, type SessionId } from '../../core/ids.ts';
import type { CompactedSession } from '../../core/sessions/compact-session.ts';
import type { MessagePlace, Session, SessionMessage } from '../../core/sessions/session.ts';
import type { SeenSession } from '../../core/sessions/session-glance.ts';
import type { SessionCursor } from '../../core/sessions/session-store.ts';
import type {
  BrowsedPage,
  BrowsedSession,
  BrowseFilter,
  SessionMessages,
} from '../../core/sessions/sessions.ts';
import { decodeCursor, encodeNext } from '../cursor.ts';
import type {
  CompactedSessionShape,
  ListedSessionShape,
  MessageListShape,
  SeenSessionShape,
  SessionListShape,
  SessionMessageShape,
  SessionQueryShape,
  SessionShape,
} from './session-shapes.ts';

export function encodeSession(session: Session): SessionShape {
  return {
    session_id: session.id,
    agent_id: session.agentId,
    channel: session.channel,
    user_id: session.userId,
    room_id: session.roomId,
    title: session.title,
    message_count: session.messageCount,
    last_exchange: session.lastExchange,
    forked_from: session.forkedFrom ?? null,
    created_at: toIso(session.createdAtMs),
    updated_at: toIso(session.updatedAtMs),
    closed_at: session.closedAtMs === undefined ? null : toIso(session.closedAtMs),
  };
}

export function encodeSeen(seen: SeenSession): SeenSessionShape {
  const { session, state, run, approvalId, lastMessage } = seen;
  return {
    ...encodeSession(session),
    state,
    run: run ? { id: run.id, status: run.status } : null,
    approval_id: approvalId ?? null,
    last_message: lastMessage
      ? {
          role: encodeSpeaker(lastMessage.role),
          text: lastMessage.content,
          ts: toIso(lastMessage.atMs),
        }
      : null,
  };
}

function encodeBrowsed(browsed: BrowsedSession): ListedSessionShape {
  const { match } = browsed;
  return {
    ...encodeSeen(browsed),
    match: match
      ? {
          exchange: match.exchange,
          role: encodeSpeaker(match.role),
          excerpt: match.excerpt,
          ts: toIso(match.atMs),
        }
      : null,
  };
}

/** Stores show what people and agents say, and nothing of tools. */
function encodeSpeaker(role: SessionMessage['role']): 'user' | 'assistant' {
  return role === 'user' ? 'user' : 'assistant';
}

export function encodeCompacted(compacted: CompactedSession): CompactedSessionShape {
  return {
    session_id: compacted.session.id,
    folded_messages: compacted.messages,
    summary: compacted.summary,
  };
}

export function encodeSessionPage({ sessions, next }: BrowsedPage): SessionListShape {
  return {
    sessions: sessions.map(encodeBrowsed),
    next_cursor: encodeNext(next && `${next.updatedAtMs}:${next.id}`),
  };
}

function decodeSessionCursor(cursor: string): SessionCursor {
  const place = decodeCursor(cursor, (text) => {
    const [, id] = splitOnce(text);
    return /^\d{1,16}:/.test(text) && SESSION_ID_PATTERN.test(id);
  });
  const [updatedAtMs, id] = splitOnce(place);
  return { updatedAtMs: Number(updatedAtMs), id: id as SessionId };
}

/** Texts of one answer: 1,000 of the longest messages would be an answer of 250 MB. */
const MAX_ANSWER_CHARS = 4 * 1024 * 1024;

/** The page, or as much of its end as fits into one answer; the next page ends before it. */
export function encodeMessages({ session, messages, next }: SessionMessages): MessageListShape {
  const shown = takeFitting(messages);
  const first = shown[0];
  const place = shown.length < messages.length ? first : next;
  return {
    session_id: session.id,
    messages: shown.map(encodeMessage),
    next_cursor: encodeNext(place && `${place.exchange}:${place.position}`),
  };
}

export function decodeMessageCursor(cursor: string): MessagePlace {
  const place = decodeCursor(cursor, (text) => /^\d{1,15}:\d{1,15}$/.test(text));
  const [exchange, position] = splitOnce(place);
  return { exchange: Number(exchange), position: Number(position) };
}

export function decodeSessionFilter(query: SessionQueryShape): BrowseFilter {
  const { agent_id: agentId, user_id: userId, room_id: roomId, channel, cursor } = query;
  const text = query.q?.trim();
  return {
    includeClosed: query.include_closed === 'true',
    limit: query.limit,
    ...defined({ agentId: agentId as AgentId | undefined, userId, roomId, channel, text }),
    ...(cursor === undefined ? {} : { before: decodeSessionCursor(cursor) }),
  };
}

function encodeMessage(message: SessionMessage): SessionMessageShape {
  return {
    role: message.role,
    content: message.content,
    ts: toIso(message.atMs),
    exchange: message.exchange,
    ...defined({
      run_id: message.runId,
      tool_name: message.toolName,
      tool_call_id: message.toolCallId,
      status: message.status,
    }),
  };
}

/** From the newest back; at least one, so that paging always gets on. */
function takeFitting(messages: readonly SessionMessage[]): readonly SessionMessage[] {
  let chars = 0;
  let from = messages.length;
  while (from > 0) {
    chars += messages[from - 1]?.content.length ?? 0;
    if (chars > MAX_ANSWER_CHARS && from < messages.length) break;
    from -= 1;
  }
  return messages.slice(from);
}

function splitOnce(text: string): readonly [head: string, tail: string] {
  const colon = text.indexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1)];
}
