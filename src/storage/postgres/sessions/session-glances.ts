import type { ApprovalId, RunId, SessionId } from '../../../core/ids.ts';
import type { RunStatus } from '../../../core/runs/run.ts';
import { MAX_SEARCHED_MESSAGES } from '../../../core/sessions/search-sessions.ts';
import type { MessageRole, SessionMessage } from '../../../core/sessions/session.ts';
import type { SessionGlance } from '../../../core/sessions/session-glance.ts';
import { MAX_FOUND_MESSAGES } from '../../../core/sessions/session-store.ts';
import { MAX_PAGE_SESSIONS, MAX_PREVIEWED_MESSAGES } from '../../session-rules.ts';
import { decodeTextStart, MAX_START_CHARS, toLikePattern } from '../../stored-text.ts';
import { isStorableId } from '../../tables/column.ts';
import type { Database } from '../database.ts';
import { decodeMessage, MESSAGE_COLUMNS, type StoredMessage } from './message-row.ts';

const NEWEST_FIRST = 'order by exchange desc, position desc';
/** What a person reads of a conversation. */
const SPOKEN = "role in ('user', 'assistant')";

const GLANCE = `
  select s.id, m.role, m.start, m.at_ms,
    coalesce(busy.id, newest.id) as run_id, coalesce(busy.status, newest.status) as run_status,
    asked.id as approval_id
  from sessions s
  left join lateral (
    select role, left(content, ${MAX_START_CHARS}) as start, at_ms from (
      select * from session_messages where session_id = s.id ${NEWEST_FIRST} limit ${MAX_PREVIEWED_MESSAGES}
    ) latest where ${SPOKEN} ${NEWEST_FIRST} limit 1
  ) m on true
  left join lateral (
    select id, status from runs where session_id = s.id
    and exchange is not null and ended_at_ms is null and not awaits_frames
    order by exchange limit 1
  ) busy on true
  left join lateral (
    select id, status from runs where session_id = s.id order by created_at_ms desc, id desc limit 1
  ) newest on true
  left join lateral (
    select id from approvals where run_id = coalesce(busy.id, newest.id) and status = 'pending'
    order by no desc limit 1
  ) asked on coalesce(busy.status, newest.status) = 'waiting'
  where s.id = any($1::text[])`;

const FIND_SAYING = `
  select s.id as session_id, found.*
  from sessions s
  left join lateral (
    select ${MESSAGE_COLUMNS} from (
      select * from session_messages where session_id = s.id ${NEWEST_FIRST} limit ${MAX_SEARCHED_MESSAGES}
    ) latest where ${SPOKEN} and content ilike $2 escape '!' ${NEWEST_FIRST} limit ${MAX_FOUND_MESSAGES}
  ) found on true
  where s.id = any($1::text[]) and (found.role is not null or s.title ilike $2 escape '!')
  order by s.id, found.exchange desc, found.position desc`;

interface StoredGlance {
  readonly id: SessionId;
  readonly role: MessageRole | null;
  readonly start: string | null;
  readonly at_ms: number | null;
  readonly run_id: RunId | null;
  readonly run_status: RunStatus | null;
  readonly approval_id: ApprovalId | null;
}

export async function glanceAtSessions(
  database: Database,
  ids: readonly SessionId[],
): Promise<ReadonlyMap<SessionId, SessionGlance>> {
  const values = [takeIds(ids)];
  const stored = await database.read<StoredGlance>({
    name: 'glance_at_sessions',
    text: GLANCE,
    values,
  });
  return new Map(stored.map((row) => [row.id, decodeGlance(row)]));
}

type FoundRow = StoredMessage & { readonly session_id: SessionId };

export async function findSaying(
  database: Database,
  ids: readonly SessionId[],
  text: string,
): Promise<ReadonlyMap<SessionId, readonly SessionMessage[]>> {
  const values = [takeIds(ids), toLikePattern(text)];
  const rows = await database.read<FoundRow>({ name: 'find_saying', text: FIND_SAYING, values });
  const found = new Map<SessionId, SessionMessage[]>();
  for (const row of rows) {
    const messages = found.get(row.session_id) ?? [];
    found.set(row.session_id, messages);
    // Only its title says it.
    if (row.role !== null) messages.push(decodeMessage(row));
  }
  return found;
}

function takeIds(ids: readonly SessionId[]): SessionId[] {
  return ids.filter(isStorableId).slice(0, MAX_PAGE_SESSIONS);
}

function decodeGlance(row: StoredGlance): SessionGlance {
  const { role, start, at_ms: atMs, run_id: runId, run_status: status } = row;
  const isSaid = role !== null && start !== null && atMs !== null;
  return {
    sessionId: row.id,
    lastMessage: isSaid ? { role, content: decodeTextStart(start), atMs } : undefined,
    run: runId !== null && status !== null ? { id: runId, status } : undefined,
    approvalId: row.approval_id ?? undefined,
  };
}
