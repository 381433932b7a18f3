import type { AgentId, RunId, SessionId } from '../../../core/ids.ts';
import type { Runs } from '../../../core/runs/runs.ts';
import type { Place } from '../../../core/sessions/session.ts';
import type { AdminAccess } from '../admin-access.ts';
import type { AgentsAccess } from '../agents-access.ts';
import type { Via } from '../open-runs.ts';
import type { SessionsAccess } from '../sessions-access.ts';

/** What a chat needs of the runtime. It can't tell a server from its own process. */
export interface ChatAccess {
  readonly via: Via;
  /** How long one wait for news should last before the run is looked at again. */
  readonly idleMs: number;
  readonly runs: Runs;
  readonly admin: AdminAccess;
  readonly sessions: SessionsAccess;
  readonly agents: AgentsAccess;
  /** See `Chat`. A message is sent once, also when the server is restarted meanwhile. */
  send(message: ChatMessage): Promise<ChatAnswer>;
  /** `provider/name` that agents get which name none. */
  describeModel(): Promise<string>;
  close(): Promise<void>;
}

export interface ChatMessage {
  readonly place: Place;
  readonly message: string;
  readonly agentId?: AgentId | undefined;
  readonly sessionId?: SessionId | undefined;
}

export type ChatAnswer =
  | { readonly kind: 'queued'; readonly runId: RunId; readonly sessionId: SessionId }
  | {
      readonly kind: 'answered';
      readonly response: string;
      readonly sessionId: SessionId | undefined;
    };
