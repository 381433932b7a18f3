import { compactedSession, messageList, session, sessionList } from '../../http/session-shapes.ts';
import type { SessionsAccess } from '../sessions-access.ts';
import { at, createAdminClient, toQuery } from './admin-client.ts';
import type { ServerLinkOptions } from './server-link.ts';

/** The conversations of a running server. */
export function createRemoteSessions(options: ServerLinkOptions): SessionsAccess {
  const { get, put, once } = createAdminClient(options);
  return {
    list: (query) => get(`/chat/sessions${toQuery(query)}`, sessionList),
    get: (id) => get(at`/chat/sessions/${id}`, session),
    messages: (id, query) => get(at`/chat/sessions/${id}/messages` + toQuery(query), messageList),
    close: (id) => put(at`/chat/sessions/${id}/close`, session),
    // Sent again it folds nothing more; only the count would be that of the second time.
    compact: (id) => put(at`/chat/sessions/${id}/compact`, compactedSession),
    fork: (from, { id, throughExchange }) =>
      once(at`/chat/sessions/${from}/fork`, session, {
        ...(id === undefined ? {} : { session_id: id }),
        ...(throughExchange === undefined ? {} : { through_exchange: throughExchange }),
      }),
  };
}
