import type { RunId } from '../../../core/ids.ts';
import { type MessagePlace, type SealedMessage, toTitle } from '../../../core/sessions/session.ts';
import { toJsonText } from '../json-text.ts';
import type { WriteContext } from '../write-context.ts';

interface PlacedMessage extends MessagePlace {
  readonly sessionNo: number;
  readonly runId: RunId | undefined;
  readonly message: SealedMessage;
}

export type AddMessage = (placed: PlacedMessage) => void;

const NO_TITLE = toJsonText('');

/** Stores a message and counts it. The first of a user names the session. */
export function createAddMessage(context: WriteContext): AddMessage {
  const { db } = context;
  const insert = db.prepare(`
    INSERT INTO session_messages (
      session_no, exchange, position, role, content, tool_name, tool_call_id, status, run_id, at_ms
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const count = db.prepare(
    'UPDATE sessions SET message_count = message_count + 1, updated_at_ms = ? WHERE no = ?',
  );
  const setTitle = db.prepare(
    `UPDATE sessions SET title = ? WHERE no = ? AND title = '${NO_TITLE}'`,
  );

  return ({ sessionNo, exchange, position, runId, message }) => {
    const { role, content, toolName, toolCallId, status } = message;
    const nowMs = context.nowMs();
    const texts = [toJsonText(content), toJsonText(toolName), toJsonText(toolCallId)];
    const end = [status ?? null, runId ?? null, nowMs];
    insert.run(sessionNo, exchange, position, role, ...texts, ...end);
    count.run(nowMs, sessionNo);
    if (role === 'user') setTitle.run(toJsonText(toTitle(content)), sessionNo);
  };
}

/** The session's next exchange, which is taken by this. */
export function createTakeExchange(context: WriteContext): (sessionNo: number) => number {
  const take = context.db.prepare(`
    UPDATE sessions SET last_exchange = last_exchange + 1, updated_at_ms = ?
    WHERE no = ? RETURNING last_exchange`);

  return (sessionNo) => Number(take.get(context.nowMs(), sessionNo)?.['last_exchange']);
}
