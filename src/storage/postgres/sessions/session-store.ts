import type { Session } from '../../../core/sessions/session.ts';
import type { SessionStore } from '../../../core/sessions/session-store.ts';
import { isStorableId } from '../../tables/column.ts';
import { clockSql } from '../statement.ts';
import { encodeText } from '../text-codec.ts';
import { writeOnce } from '../write-once.ts';
import { forkToSession } from './fork-session.ts';
import { findSaying, glanceAtSessions } from './session-glances.ts';
import {
  findActiveAgent,
  findSession,
  findSummary,
  listSessions,
  readMessages,
} from './session-reads.ts';
import { decodeSession, digestPlace, SESSION_COLUMNS, type StoredSession } from './session-row.ts';
import {
  appendToSession,
  createSession,
  openSession,
  type SessionWriteDeps,
} from './session-writes.ts';

const CLOSE = `
  with clock as materialized (select ${clockSql('$2')} as now_ms)
  update sessions set closed_at_ms = clock.now_ms, updated_at_ms = clock.now_ms
  from clock where id = $1 and closed_at_ms is null
  returning ${SESSION_COLUMNS}`;

const RENAME = `update sessions set title = $2 where id = $1 returning ${SESSION_COLUMNS}`;

const ACTIVATE = `
  with found as materialized (
    select ${SESSION_COLUMNS}, place from sessions where id = $1 and closed_at_ms is null for update
  ), activated as (
    insert into active_sessions (agent_id, place, session_id) select agent_id, place, id from found
    on conflict (agent_id, place) do update set session_id = excluded.session_id
  )
  select ${SESSION_COLUMNS} from found`;

const SAVE_SUMMARY = `
  insert into session_summaries as s (session_id, text, exchange, position)
  select id, $2, $3, $4 from sessions where id = $1
  on conflict (session_id) do update set
    text = excluded.text, exchange = excluded.exchange, position = excluded.position
  where (s.exchange, s.position) <= (excluded.exchange, excluded.position)`;

const SET_AGENT =
  'insert into active_agents (place, agent_id) values ($1, $2) ' +
  'on conflict (place) do update set agent_id = excluded.agent_id';

export function createSessionStore(deps: SessionWriteDeps): SessionStore {
  const { database, nowMs } = deps;
  return {
    open: (place, id) => openSession(deps, place, id),
    create: (place, id) => createSession(deps, place, id),
    find: (id) => findSession(database, id),
    list: (filter) => listSessions(database, filter),
    glance: (ids) => glanceAtSessions(database, ids),
    findSaying: (ids, text) => findSaying(database, ids, text),

    rename: async (id, title) => {
      if (!isStorableId(id)) return undefined;
      const statement = { name: 'rename_session', text: RENAME, values: [id, encodeText(title)] };
      const [stored] = await database.write<StoredSession>(statement);
      return stored && decodeSession(stored);
    },

    activate: async (id): Promise<Session | undefined> => {
      if (!isStorableId(id)) return undefined;
      const statement = { name: 'activate_session', text: ACTIVATE, values: [id] };
      const [stored] = await database.write<StoredSession>(statement);
      return stored && decodeSession(stored);
    },

    close: async (id) => {
      if (!isStorableId(id)) return undefined;
      const values = [id, nowMs?.() ?? null];
      const statement = { name: 'close_session', text: CLOSE, values };
      const [closed] = await writeOnce<StoredSession>(database, statement);
      if (closed) return { session: decodeSession(closed), alreadyClosed: false };
      const session = await findSession(database, id);
      return session && { session, alreadyClosed: true };
    },

    fork: async (request) =>
      isStorableId(request.from) ? forkToSession(deps, request) : undefined,

    append: async (id, messages) =>
      isStorableId(id) ? appendToSession(deps, id, messages) : undefined,

    readMessages: (id, page) => readMessages(database, id, page),
    findSummary: (id) => findSummary(database, id),

    saveSummary: async (id, { text, through }) => {
      if (!isStorableId(id)) return;
      const values = [id, encodeText(text), through.exchange, through.position];
      await database.write({ name: 'save_summary', text: SAVE_SUMMARY, values });
    },

    findActiveAgent: (place) => findActiveAgent(database, place),

    setActiveAgent: async (place, agentId) => {
      const values = [digestPlace(place), agentId];
      await database.write({ name: 'set_active_agent', text: SET_AGENT, values });
    },
  };
}
