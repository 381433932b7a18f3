import type { Session } from '../../../core/sessions/session.ts';
import type { ForkSession } from '../../../core/sessions/session-store.ts';
import { type CopiedMessages, forkSession } from '../../session-rules.ts';
import { getRow } from '../rows.ts';
import type { WriteContext } from '../write-context.ts';
import { toSession } from './session-row.ts';
import type { SessionRows } from './session-rows.ts';

const NOTHING: CopiedMessages = { messageCount: 0, lastExchange: 0 };

export function createForkSession(context: WriteContext, rows: SessionRows) {
  const { db } = context;
  // What an open run has said so far would stand there as if it had ended with it. One that rests has said its say.
  const COPIED = `
    FROM session_messages
    WHERE session_no = ?1 AND exchange <= ?2 AND exchange NOT IN (
      SELECT exchange FROM runs
      WHERE session_id = ?3 AND exchange IS NOT NULL AND ended_at_ms IS NULL AND awaits_frames = 0
    )`;
  const count = db.prepare(`
    SELECT count(*) AS messageCount, coalesce(max(exchange), 0) AS lastExchange ${COPIED}`);
  const copy = db.prepare(`
    INSERT INTO session_messages (
      session_no, exchange, position, role, content, tool_name, tool_call_id, status, run_id, at_ms
    )
    SELECT ?4, exchange, position, role, content, tool_name, tool_call_id, status, run_id, at_ms
    ${COPIED}`);
  // A summary that speaks of more than the fork holds would be wrong for it.
  const copySummary = db.prepare(`
    INSERT INTO session_summaries (session_no, text, exchange, position)
    SELECT ?1, text, exchange, position FROM session_summaries
    WHERE session_no = ?2 AND exchange <= ?3`);

  return ({ from, id, throughExchange }: ForkSession): Session | undefined => {
    const row = rows.find(from);
    if (!row) return undefined;
    rows.assertNew(id);
    const last = Math.min(throughExchange ?? row.last_exchange, row.last_exchange);
    const copied = { ...NOTHING, ...getRow<CopiedMessages>(count, row.no, last, from) };
    const fork = forkSession(toSession(row), id, { copied, nowMs: context.nowMs() });
    const no = rows.insert(fork);
    copy.run(row.no, last, from, no);
    copySummary.run(no, row.no, copied.lastExchange);
    return fork;
  };
}
