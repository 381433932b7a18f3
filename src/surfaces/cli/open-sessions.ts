import { type AgentId, SESSION_ID_PATTERN } from '../../core/ids.ts';
import type { SessionFilter } from '../../core/sessions/session-store.ts';
import type { Sessions } from '../../core/sessions/sessions.ts';
import {
  decodeMessageCursor,
  decodeSessionCursor,
  encodeCompacted,
  encodeMessages,
  encodeSession,
  encodeSessionPage,
} from '../http/session-codec.ts';
import { parseName } from './admin-arguments.ts';
import type { CliContext } from './context.ts';
import { naming } from './errors.ts';
import { readStore, useRuntime, type Ways, withAccess } from './open-access.ts';
import type { Via } from './open-runs.ts';
import type { SessionQuery, SessionsAccess, SessionsReader } from './sessions-access.ts';
import { createSessionReader, type SessionReader } from './store-readers.ts';

const remote: Ways<SessionsAccess>['remote'] = async (options) =>
  (await import('./remote/remote-sessions.ts')).createRemoteSessions(options);

/** Through the running server, else from the database. */
export const SESSIONS_READING: Ways<SessionsReader> = {
  remote,
  local: (context) =>
    readStore(context, (store) => createReader(createSessionReader(store, context.clock))),
};

/** Through the running server, else in this process. */
export const SESSIONS_WRITING: Ways<SessionsAccess> = {
  remote,
  local: (context) => useRuntime(context, ({ sessions }) => createLocalSessions(sessions)),
};

export function parseSessionArgument(argument: string | undefined, command: string): string {
  return parseName(argument, {
    command,
    pattern: SESSION_ID_PATTERN,
    what: 'the id of a session',
    hint: 'ids look like session_01jv8z4q0k6c…; claw sessions list shows them',
  });
}

/** Says which session was looked for when there is none. */
export function namingSession<T>(name: string, lookup: Promise<T>): Promise<T> {
  const hint = 'claw sessions list --include-closed shows the sessions there are';
  return naming({ thing: 'session', name, hint }, lookup);
}

export async function changeSession<T>(
  context: CliContext,
  id: string,
  change: (sessions: SessionsAccess, via: Via) => Promise<T>,
): Promise<T> {
  // Looked up without a writer first: a mistyped id must not create a state root.
  await withAccess(context, SESSIONS_READING, (sessions) => namingSession(id, sessions.get(id)));
  return withAccess(context, SESSIONS_WRITING, (sessions, via) =>
    namingSession(id, change(sessions, via)),
  );
}

function createReader(sessions: SessionReader): SessionsReader {
  return {
    list: async (query) => encodeSessionPage(await sessions.list(decodeQuery(query))),
    get: async (id) => encodeSession(await sessions.get(id)),
    async messages(id, { limit, cursor }) {
      const before = cursor === undefined ? {} : { before: decodeMessageCursor(cursor) };
      return encodeMessages(await sessions.messages(id, { limit, ...before }));
    },
  };
}

export function createLocalSessions(sessions: Sessions): SessionsAccess {
  return {
    ...createReader(sessions),
    close: async (id) => encodeSession((await sessions.close(id)).session),
    compact: async (id) => encodeCompacted(await sessions.compact(id)),
    async fork(from, { id, throughExchange }) {
      const forked = await sessions.fork({
        from,
        ...(id === undefined ? {} : { id }),
        ...(throughExchange === undefined ? {} : { throughExchange }),
      });
      return encodeSession(forked);
    },
  };
}

function decodeQuery(query: SessionQuery): SessionFilter {
  const { agent_id: agentId, user_id: userId, room_id: roomId, channel, cursor } = query;
  return {
    includeClosed: query.include_closed === true,
    limit: query.limit,
    ...(agentId === undefined ? {} : { agentId: agentId as AgentId }),
    ...(channel === undefined ? {} : { channel }),
    ...(userId === undefined ? {} : { userId }),
    ...(roomId === undefined ? {} : { roomId }),
    ...(cursor === undefined ? {} : { before: decodeSessionCursor(cursor) }),
  };
}
