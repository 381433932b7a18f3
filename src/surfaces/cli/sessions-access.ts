import type {
  CompactedSessionShape,
  MessageListShape,
  SessionListShape,
  SessionShape,
} from '../http/session-shapes.ts';
import type { PageQuery } from './page-options.ts';

/** Conversations, in the shapes of `/api/admin`, with a server and without one. */
export interface SessionsReader {
  list(query: SessionQuery): Promise<SessionListShape>;
  /** Throws `not_found`, as all that name one session. */
  get(id: string): Promise<SessionShape>;
  messages(id: string, query: PageQuery): Promise<MessageListShape>;
}

export interface SessionsAccess extends SessionsReader {
  close(id: string): Promise<SessionShape>;
  compact(id: string): Promise<CompactedSessionShape>;
  fork(id: string, fork: ForkFields): Promise<SessionShape>;
}

export interface SessionQuery extends PageQuery {
  readonly agent_id?: string | undefined;
  readonly channel?: string | undefined;
  readonly user_id?: string | undefined;
  readonly room_id?: string | undefined;
  readonly include_closed?: boolean;
}

export interface ForkFields {
  /** Of the new one; made when absent. */
  readonly id?: string | undefined;
  readonly throughExchange?: number | undefined;
}
