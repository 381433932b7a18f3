import type { MessagePlace, SealedMessage } from '../../../core/sessions/session.ts';
import { placeOf } from '../../session-rules.ts';
import { toStatements } from '../bulk.ts';
import { countMessage } from '../runs/batch-sessions.ts';
import type { Statement } from '../statement.ts';
import { INSERT_MESSAGES } from './message-row.ts';
import { type SessionRow, UPDATE_SESSIONS } from './session-row.ts';

export interface AppendedMessages {
  /** Where the last of them stands. */
  readonly place: MessagePlace;
  readonly writes: readonly Statement[];
}

/** Messages that no run made, as the next exchange of a session that is locked. Undefined when it takes none. */
export function appendMessages(
  session: SessionRow | undefined,
  messages: readonly SealedMessage[],
  nowMs: number,
): AppendedMessages | undefined {
  if (!session || session.closedAtMs !== undefined) return undefined;
  session.lastExchange += 1;
  session.updatedAtMs = nowMs;
  for (const message of messages) countMessage(session, message, nowMs);
  const exchange = session.lastExchange;
  const rows = messages.map((message, index) => ({
    sessionId: session.id,
    ...placeOf(exchange, index),
    ...message,
    runId: undefined,
    atMs: nowMs,
  }));
  return {
    place: placeOf(exchange, Math.max(0, messages.length - 1)),
    writes: [...toStatements(INSERT_MESSAGES, rows), ...toStatements(UPDATE_SESSIONS, [session])],
  };
}
