import type { SessionId } from '../../../core/ids.ts';
import type { Session } from '../../../core/sessions/session.ts';
import { encodeOwner } from '../../owner-column.ts';
import { sessionExists } from '../../session-rules.ts';
import { toJsonText } from '../json-text.ts';
import { getRow } from '../rows.ts';
import type { WriteContext } from '../write-context.ts';
import { placeKey } from './session-reads.ts';
import { SELECT_SESSION, type SessionRow } from './session-row.ts';

export interface SessionRows {
  find(id: SessionId): SessionRow | undefined;
  assertNew(id: SessionId): void;
  /** Answers with the number that stands for it in keys. */
  insert(session: Session): number;
}

export function createSessionRows({ db }: WriteContext): SessionRows {
  const select = db.prepare(`${SELECT_SESSION} WHERE id = ?`);
  const insert = db.prepare(`
    INSERT INTO sessions (
      id, agent_id, channel, user_id, room_id, title, message_count, last_exchange, forked_from,
      created_at_ms, updated_at_ms, owner, closed_at_ms
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const find = (id: SessionId) => getRow<SessionRow>(select, id);

  return {
    find,

    assertNew(id) {
      if (find(id)) throw sessionExists(id);
    },

    insert(session) {
      const { id, agentId, messageCount, lastExchange, forkedFrom, createdAtMs } = session;
      const texts = [...placeKey(session), toJsonText(session.title)];
      const counts = [messageCount, lastExchange, forkedFrom ?? null];
      const times = [createdAtMs, session.updatedAtMs];
      const rest = [...times, encodeOwner(session.owner), session.closedAtMs ?? null];
      return Number(insert.run(id, agentId, ...texts, ...counts, ...rest).lastInsertRowid);
    },
  };
}
