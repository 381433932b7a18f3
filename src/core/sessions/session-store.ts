import type { AgentId, SessionId } from '../ids.ts';
import type { MessagePlace, Place, SealedMessage, Session, SessionMessage } from './session.ts';
import type { SessionGlance } from './session-glance.ts';

/**
 * Durable conversations. Messages of runs are written by the RunStore, in the transaction of the event they belong to;
 * here is everything else. Each method is one transaction.
 */
export interface SessionStore {
  /**
   * The agent's active session in a place, or a new one that becomes it: also when the active one is none that the owner
   * may see. Concurrent calls get the same.
   */
  open(place: AgentPlace, id: SessionId): Promise<OpenedSession>;

  /** A new session, which becomes the active one of its place; the one before stays as it is. */
  create(place: AgentPlace, id: SessionId): Promise<Session>;

  find(id: SessionId): Promise<Session | undefined>;

  /** Last updated first. */
  list(filter: SessionFilter): Promise<SessionPage>;

  /** What is going on in each of them; those that do not exist are left out. */
  glance(ids: readonly SessionId[]): Promise<ReadonlyMap<SessionId, SessionGlance>>;

  /**
   * Which of them may say a text: for each whose title or newest messages of people and the agent seem to hold it, the
   * newest such messages, at most `MAX_FOUND_MESSAGES`; none when it is the title. Letters from A to Z count in any case.
   */
  findSaying(
    ids: readonly SessionId[],
    text: string,
  ): Promise<ReadonlyMap<SessionId, readonly SessionMessage[]>>;

  /** Gives it another title. Undefined when it does not exist. */
  rename(id: SessionId, title: string): Promise<Session | undefined>;

  /** Makes it the active one of its place. Answers undefined when there is none with this id or it is closed. */
  activate(id: SessionId): Promise<Session | undefined>;

  /** Ends it for new messages; a run under way still adds its own. Idempotent. Undefined when it does not exist. */
  close(id: SessionId): Promise<ClosedSession | undefined>;

  /**
   * A new session with the messages of another up to and including an exchange, in the same place. It does not become
   * the active one. Exchanges that are still going on are left out. Throws `conflict` when the new id is taken.
   */
  fork(request: ForkSession): Promise<Session | undefined>;

  /** Messages that no run made, as one exchange of their own. Undefined when the session is missing or closed. */
  append(id: SessionId, messages: readonly SealedMessage[]): Promise<MessagePlace | undefined>;

  /** The newest page before a place, oldest message first. An unknown session reads as empty. */
  readMessages(id: SessionId, page: MessagePage): Promise<SessionMessage[]>;

  /** What older messages said, as far as somebody has summed them up. */
  findSummary(id: SessionId): Promise<SessionSummary | undefined>;

  /** Keeps a summary unless a later one is there already. */
  saveSummary(id: SessionId, summary: SessionSummary): Promise<void>;

  /** Whom messages in this place go to when they name nobody. */
  findActiveAgent(place: Place): Promise<AgentId | undefined>;
  setActiveAgent(place: Place, agentId: AgentId): Promise<void>;
}

/** Of one session, by `findSaying`. */
export const MAX_FOUND_MESSAGES = 3;

export interface AgentPlace extends Place {
  readonly agentId: AgentId;
  /** Whose a new session is; the operator's when left out. */
  readonly owner?: string;
}

export interface OpenedSession {
  readonly session: Session;
  readonly created: boolean;
}

export interface ClosedSession {
  readonly session: Session;
  readonly alreadyClosed: boolean;
}

export interface SessionFilter {
  readonly agentId?: AgentId;
  readonly channel?: string;
  readonly userId?: string;
  readonly roomId?: string;
  /** Of this principal. The operator's lists hold everybody's. */
  readonly owner?: string;
  readonly includeClosed: boolean;
  readonly limit: number;
  /** The last session of the page before. */
  readonly before?: SessionCursor;
}

export interface SessionCursor {
  readonly updatedAtMs: number;
  readonly id: SessionId;
}

export interface SessionPage {
  readonly sessions: readonly Session[];
  readonly next: SessionCursor | undefined;
}

export interface ForkSession {
  readonly from: SessionId;
  readonly id: SessionId;
  /** Absent: all of it. */
  readonly throughExchange?: number;
}

export interface MessagePage {
  readonly limit: number;
  /** Messages before this place; absent: from the newest on. */
  readonly before?: MessagePlace;
}

export interface SessionSummary {
  readonly text: string;
  /** The last message it speaks of. */
  readonly through: MessagePlace;
}
