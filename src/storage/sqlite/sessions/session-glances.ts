import type { ApprovalId, RunId, SessionId } from '../../../core/ids.ts';
import type { RunStatus } from '../../../core/runs/run.ts';
import { MAX_SEARCHED_MESSAGES } from '../../../core/sessions/search-sessions.ts';
import type { MessageRole, SessionMessage } from '../../../core/sessions/session.ts';
import type { SessionGlance } from '../../../core/sessions/session-glance.ts';
import { MAX_FOUND_MESSAGES } from '../../../core/sessions/session-store.ts';
import { MAX_PAGE_SESSIONS, MAX_PREVIEWED_MESSAGES } from '../../session-rules.ts';
import { decodeTextStart, MAX_START_CHARS, toLikePattern } from '../../stored-text.ts';
import type { Database } from '../driver.ts';
import { allRows, getRow } from '../rows.ts';
import { type MessageRow, toMessage } from './session-row.ts';

const NEWEST_FIRST = 'ORDER BY exchange DESC, position DESC';
/** What a person reads of a conversation. */
const SPOKEN = "role IN ('user', 'assistant')";

interface NewestMessage {
  readonly role: MessageRole;
  readonly start: string;
  readonly at_ms: number;
}

/** One session after the other: each statement is a look into an index. */
export function createGlance(db: Database) {
  const selectNo = db.prepare('SELECT no FROM sessions WHERE id = ?');
  const selectMessage = db.prepare(`
    SELECT role, substr(content, 1, ${MAX_START_CHARS}) AS start, at_ms FROM (
      SELECT * FROM session_messages WHERE session_no = ? ${NEWEST_FIRST} LIMIT ${MAX_PREVIEWED_MESSAGES}
    ) WHERE ${SPOKEN} ${NEWEST_FIRST} LIMIT 1`);
  const selectBusy = db.prepare(`
    SELECT no, id, status FROM runs
    WHERE session_id = ? AND exchange IS NOT NULL AND ended_at_ms IS NULL AND awaits_frames = 0
    ORDER BY exchange LIMIT 1`);
  const selectNewest = db.prepare(`
    SELECT no, id, status FROM runs WHERE session_id = ?
    ORDER BY created_at_ms DESC, id DESC LIMIT 1`);
  const selectQuestion = db.prepare(
    "SELECT id FROM approvals WHERE run_no = ? AND status = 'pending' ORDER BY no DESC LIMIT 1",
  );
  interface RunRow {
    readonly no: number;
    readonly id: RunId;
    readonly status: RunStatus;
  }

  function look(id: SessionId): SessionGlance | undefined {
    const session = getRow<{ no: number }>(selectNo, id);
    if (!session) return undefined;
    const message = getRow<NewestMessage>(selectMessage, session.no);
    const run = getRow<RunRow>(selectBusy, id) ?? getRow<RunRow>(selectNewest, id);
    const question =
      run?.status === 'waiting' ? getRow<{ id: ApprovalId }>(selectQuestion, run.no) : undefined;
    return {
      sessionId: id,
      lastMessage: message && {
        role: message.role,
        content: decodeTextStart(message.start),
        atMs: message.at_ms,
      },
      run: run && { id: run.id, status: run.status },
      approvalId: question?.id,
    };
  }

  return (ids: readonly SessionId[]): ReadonlyMap<SessionId, SessionGlance> => {
    const glances = ids.slice(0, MAX_PAGE_SESSIONS).map(look);
    return new Map(glances.flatMap((one) => (one ? [[one.sessionId, one]] : [])));
  };
}

export function createFindSaying(db: Database) {
  const selectTitled = db.prepare(
    "SELECT no, title LIKE ?2 ESCAPE '!' AS is_titled FROM sessions WHERE id = ?1",
  );
  const selectMessages = db.prepare(`
    SELECT exchange, position, role, content, tool_name, tool_call_id, status, run_id, at_ms FROM (
      SELECT * FROM session_messages WHERE session_no = ?1 ${NEWEST_FIRST} LIMIT ${MAX_SEARCHED_MESSAGES}
    ) WHERE ${SPOKEN} AND content LIKE ?2 ESCAPE '!' ${NEWEST_FIRST} LIMIT ${MAX_FOUND_MESSAGES}`);

  return (
    ids: readonly SessionId[],
    text: string,
  ): ReadonlyMap<SessionId, readonly SessionMessage[]> => {
    const pattern = toLikePattern(text);
    const found = new Map<SessionId, readonly SessionMessage[]>();
    for (const id of ids.slice(0, MAX_PAGE_SESSIONS)) {
      const session = getRow<{ no: number; is_titled: number }>(selectTitled, id, pattern);
      if (!session) continue;
      const messages = allRows<MessageRow>(selectMessages, session.no, pattern).map(toMessage);
      if (messages.length > 0 || session.is_titled === 1) found.set(id, messages);
    }
    return found;
  };
}
