import type { SessionStore } from '../../../core/sessions/session-store.ts';
import type { PortDeps } from '../port-deps.ts';
import { createSessionReads } from './session-reads.ts';

export function createSessionStore({ db, read, writer }: PortDeps): SessionStore {
  const reads = createSessionReads(db);
  return {
    async open(place, id) {
      // Nearly always there already, and then nothing is written.
      const session = await read(() => reads.findActive(place));
      return session ? { session, created: false } : writer.submit('openSession', place, id);
    },
    create: (place, id) => writer.submit('createSession', place, id),
    find: (id) => read(() => reads.find(id)),
    list: (filter) => read(() => reads.list(filter)),
    glance: (ids) => read(() => reads.glance(ids)),
    findSaying: (ids, text) => read(() => reads.findSaying(ids, text)),
    rename: (id, title) => writer.submit('renameSession', id, title),
    activate: (id) => writer.submit('activateSession', id),
    close: (id) => writer.submit('closeSession', id),
    fork: (request) => writer.submit('forkSession', request),
    append: (id, messages) => writer.submit('appendMessages', id, messages),
    readMessages: (id, page) => read(() => reads.readMessages(id, page)),
    findSummary: (id) => read(() => reads.findSummary(id)),
    saveSummary: (id, summary) => writer.submit('saveSummary', id, summary),
    findActiveAgent: (place) => read(() => reads.findActiveAgent(place)),
    setActiveAgent: (place, agentId) => writer.submit('setActiveAgent', place, agentId),
  };
}
