import type { SessionId } from '../ids.ts';
import type { Run } from '../runs/run.ts';
import type { Place } from '../sessions/session.ts';

/** The longest message of a chat or a run. */
export const MAX_MESSAGE_CHARS = 256 * 1024;

export interface ChatRequest {
  readonly place: Place;
  readonly message: string;
  /** By id, slug or name. Absent: the agent of the session, or the active one of the place, or the default one. */
  readonly agentId?: string;
  /** Absent: the active session of agent and place, or a new one. Naming one does not make it the active one. */
  readonly sessionId?: SessionId;
  readonly projectId?: string;
  /** The same key with the same request answers with the first run. Commands make no use of it. */
  readonly idempotencyKey?: string;
  /** What makes two requests with one key the same, where it is not what the message says. */
  readonly digest?: string;
}

export type ChatReply = QueuedMessage | AnsweredCommand;

export interface QueuedMessage {
  readonly kind: 'queued';
  readonly run: Run;
  readonly sessionId: SessionId;
  readonly replayed: boolean;
}

export interface AnsweredCommand {
  readonly kind: 'answered';
  readonly response: string;
  /** The session that is the active one now, when the command changed it. */
  readonly sessionId?: SessionId;
}
