import { type AgentDirectory, toAgentId } from '../agents/resolve-agent.ts';
import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import { sealMessage } from '../events/seal.ts';
import { type AgentId, type Ids, SESSION_ID_PATTERN, type SessionId } from '../ids.ts';
import type { Redactor } from '../redact/redact.ts';
import { type CompactedSession, compactSession } from './compact-session.ts';
import type { ContextLimits } from './context-limits.ts';
import { type MessageMatch, searchSessions } from './search-sessions.ts';
import {
  isSamePlace,
  type MessageDraft,
  type MessagePlace,
  type Place,
  type Session,
  type SessionMessage,
  toTitle,
} from './session.ts';
import { type SeenSession, toSeenSession } from './session-glance.ts';
import { sessionNotFound } from './session-not-found.ts';
import type {
  AgentPlace,
  ClosedSession,
  MessagePage,
  OpenedSession,
  SessionFilter,
  SessionPage,
  SessionStore,
} from './session-store.ts';

/**
 * What every surface may do with conversations. Ids come as callers gave them: one that could not be an id throws
 * `invalid_input` before anything is looked up.
 */
export interface Sessions {
  /** Last updated first. */
  list(filter: SessionFilter): Promise<SessionPage>;
  /** The same with what is going on in each, and only those that say a text when one is given. */
  browse(filter: BrowseFilter): Promise<BrowsedPage>;
  /** Throws `not_found`. */
  get(id: string): Promise<Session>;
  /** The same with what is going on in it. */
  look(id: string): Promise<SeenSession>;
  /** Gives it another title, which stays. Throws `not_found`. */
  rename(id: string, title: string): Promise<SeenSession>;
  /** The newest page before a place, oldest message first. Throws `not_found`. */
  messages(id: string, page: MessagePage): Promise<SessionMessages>;
  /** The agent's active session in a place, or a new one that becomes it. */
  open(place: AgentPlace): Promise<OpenedSession>;
  /** A new session, which becomes the active one of its place; the one before stays as it is. */
  start(place: AgentPlace): Promise<Session>;
  /** Makes a session the active one of the place it belongs to. Whatever the outcome, nothing is replaced. */
  resume(id: string, place: AgentPlace): Promise<ResumeResult>;
  /** Idempotent. Throws `not_found`. */
  close(id: string): Promise<ClosedSession>;
  /**
   * A new session with what another said so far; it does not become the active one. Throws `not_found`, and
   * `conflict` when the wanted id is taken.
   */
  fork(request: ForkRequest): Promise<Session>;
  /**
   * Folds what was said so far into the running summary, which runs hear in its place from then on. An exchange that
   * still goes on is left out. The second time there is nothing left to fold. Throws `not_found`.
   */
  compact(id: string): Promise<CompactedSession>;
  /** Messages that no run made, as one exchange of their own. Throws `not_found`, and `conflict` when it is closed. */
  append(id: string, messages: readonly MessageDraft[]): Promise<MessagePlace>;
  /** Whom messages in this place go to when they name nobody. */
  findActiveAgent(place: Place): Promise<AgentId | undefined>;
  setActiveAgent(place: Place, agentId: AgentId): Promise<void>;
}

export interface BrowseFilter extends SessionFilter {
  /** What a title or a message says, in any case. */
  readonly text?: string;
}

export interface BrowsedSession extends SeenSession {
  /** Where it says the text that was looked for; undefined when only its title does. */
  readonly match: MessageMatch | undefined;
}

export interface BrowsedPage {
  readonly sessions: readonly BrowsedSession[];
  readonly next: SessionPage['next'];
}

export interface SessionMessages {
  readonly session: Session;
  readonly messages: readonly SessionMessage[];
  /** Where the page before this one ends; undefined when there is none. */
  readonly next: MessagePlace | undefined;
}

type ResumeResult =
  | { readonly outcome: 'resumed'; readonly session: Session }
  | { readonly outcome: 'missing' }
  /** It belongs to another agent, channel, user or room. */
  | { readonly outcome: 'elsewhere'; readonly session: Session }
  | { readonly outcome: 'closed'; readonly session: Session };

interface ForkRequest {
  readonly from: string;
  /** The id of the new session; made when absent. */
  readonly id?: string;
  /** The last exchange to take along; absent: all that have ended. */
  readonly throughExchange?: number;
}

export interface SessionsDeps {
  readonly store: SessionStore;
  /** Lists are asked for by whatever name somebody has for an agent. */
  readonly agents: AgentDirectory;
  readonly ids: Pick<Ids, 'session'>;
  readonly redactor: Redactor;
  /** Asked at each use: a summary has the length that the configuration allows just then. */
  readonly context: () => ContextLimits;
}

/** The most that one page holds; a store may give less. */
const MAX_SESSION_PAGE = 500;
export const MAX_MESSAGE_PAGE = 1_000;

/** Messages that may be added at once. */
const MAX_APPENDED = 200;

export function createSessions(deps: SessionsDeps): Sessions {
  const { store, ids } = deps;

  async function get(given: string): Promise<Session> {
    const id = parseSessionId(given);
    const session = await store.find(id);
    if (!session) throw sessionNotFound(id);
    return session;
  }

  async function resolve<Filter extends SessionFilter>(filter: Filter): Promise<Filter> {
    const { agentId: reference } = filter;
    const agentId = reference && (await toAgentId(deps.agents, reference));
    const limit = bound(filter.limit, MAX_SESSION_PAGE);
    return { ...filter, ...defined({ agentId }), limit };
  }

  async function see(session: Session): Promise<SeenSession> {
    return toSeenSession(session, (await store.glance([session.id])).get(session.id));
  }

  return {
    get,
    list: async (filter) => store.list(await resolve(filter)),
    browse: async (filter) => browse(store, await resolve(filter)),
    look: async (id) => see(await get(id)),

    async rename(given, title) {
      const id = parseSessionId(given);
      const line = toTitle(deps.redactor.redactText(title));
      if (line === '') throw new RuntimeError('invalid_input', 'title must not be empty');
      const session = await store.rename(id, line);
      if (!session) throw sessionNotFound(id);
      return see(session);
    },

    async messages(id, page) {
      const session = await get(id);
      const limit = bound(page.limit, MAX_MESSAGE_PAGE);
      const messages = await store.readMessages(session.id, { ...page, limit });
      const [first] = messages;
      const next = first && toPlace(first);
      // How full the page is says nothing: a store has a bound of its own.
      const isLast = !next || (await isEmptyBefore(store, session.id, next));
      return { session, messages, next: isLast ? undefined : next };
    },

    open: (place) => store.open(place, ids.session()),
    start: (place) => store.create(place, ids.session()),

    async resume(id, place) {
      if (!SESSION_ID_PATTERN.test(id)) return { outcome: 'missing' };
      const session = await store.find(id as SessionId);
      if (!session) return { outcome: 'missing' };
      const isHere = session.agentId === place.agentId && isSamePlace(session, place);
      if (!isHere) return { outcome: 'elsewhere', session };
      const active = await store.activate(session.id);
      return active ? { outcome: 'resumed', session: active } : { outcome: 'closed', session };
    },

    async close(id) {
      const closed = await store.close(parseSessionId(id));
      if (!closed) throw sessionNotFound(id);
      return closed;
    },

    fork: (request) => fork(deps, request),

    compact: async (id) => compactSession(deps, await get(id)),

    async append(id, messages) {
      if (messages.length === 0 || messages.length > MAX_APPENDED) {
        throw new RuntimeError('invalid_input', `1 to ${MAX_APPENDED} messages can be added`);
      }
      const session = await get(id);
      const sealed = messages.map((draft) => sealMessage(deps.redactor, draft));
      const place = await store.append(session.id, sealed);
      if (!place) throw new RuntimeError('conflict', `session ${id} is closed`);
      return place;
    },

    findActiveAgent: (place) => store.findActiveAgent(place),
    setActiveAgent: (place, agentId) => store.setActiveAgent(place, agentId),
  };
}

async function browse(
  store: SessionStore,
  { text, ...filter }: BrowseFilter,
): Promise<BrowsedPage> {
  const { found, next } =
    text === undefined
      ? toFound(await store.list(filter))
      : await searchSessions(store, { ...filter, text });
  const glances = await store.glance(found.map(({ session }) => session.id));
  const sessions = found.map(({ session, match }) => ({
    ...toSeenSession(session, glances.get(session.id)),
    match,
  }));
  return { sessions, next };
}

function toFound({ sessions, next }: SessionPage) {
  return { found: sessions.map((session) => ({ session, match: undefined })), next };
}

async function fork({ store, ids }: SessionsDeps, request: ForkRequest): Promise<Session> {
  const from = parseSessionId(request.from);
  const id = request.id === undefined ? ids.session() : parseSessionId(request.id);
  const { throughExchange } = request;
  if (throughExchange !== undefined && !(Number.isInteger(throughExchange) && throughExchange >= 0))
    throw new RuntimeError('invalid_input', 'the last exchange of a fork must be a whole number');
  const forked = await store.fork({
    from,
    id,
    ...defined({ throughExchange }),
  });
  if (!forked) throw sessionNotFound(from);
  return forked;
}

async function isEmptyBefore(
  store: SessionStore,
  id: SessionId,
  before: MessagePlace,
): Promise<boolean> {
  return (await store.readMessages(id, { limit: 1, before })).length === 0;
}

function parseSessionId(given: string): SessionId {
  if (SESSION_ID_PATTERN.test(given)) return given as SessionId;
  throw new RuntimeError('invalid_input', 'session_id must have 1 to 128 letters, digits, _ or -');
}

function toPlace({ exchange, position }: MessagePlace): MessagePlace {
  return { exchange, position };
}

function bound(limit: number, max: number): number {
  return Math.min(Math.max(1, Math.trunc(limit)), max);
}
