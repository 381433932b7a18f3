import type { AgentId, RunId, SessionId } from '../../../core/ids.ts';
import type { Runs } from '../../../core/runs/runs.ts';
import type { Place } from '../../../core/sessions/session.ts';
import type { AdminAccess } from '../admin-access.ts';
import type { AgentsAccess } from '../agents-access.ts';
import type { CliContext } from '../context.ts';
import { createLocalAdmin } from '../local-admin.ts';
import { createLocalAgents } from '../open-agents.ts';
import { findHealthyServer, type Via } from '../open-runs.ts';
import { createLocalSessions } from '../open-sessions.ts';
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

const IDLE_MS = 60_000;

/** Through the running server, else in this process, which then takes runs from the queue as a server would. */
export async function openChat(
  context: CliContext,
  warn: (message: string) => void,
): Promise<ChatAccess> {
  const locate = () => findHealthyServer(context);
  const server = await locate();
  if (server !== undefined) {
    const { createRemoteChat } = await import('./remote-chat.ts');
    return createRemoteChat({ server, locate, clock: context.clock }, IDLE_MS);
  }
  // Answered questions and messages that waited for a run come back through the queue.
  const local = await context.parts.openLocal({ root: context.root, warn, takesQueue: true });
  return {
    via: 'local',
    idleMs: IDLE_MS,
    runs: local.runs,
    admin: createLocalAdmin(local.admin),
    sessions: createLocalSessions(local.sessions),
    agents: createLocalAgents(local.agents),
    async send({ place, message, agentId, sessionId }) {
      const reply = await local.chat.send({
        place,
        message,
        ...(agentId === undefined ? {} : { agentId }),
        ...(sessionId === undefined ? {} : { sessionId }),
      });
      return reply.kind === 'queued'
        ? { kind: 'queued', runId: reply.run.id, sessionId: reply.sessionId }
        : { kind: 'answered', response: reply.response, sessionId: reply.sessionId };
    },
    describeModel: () => local.describeModel(),
    close: () => local.close(),
  };
}
