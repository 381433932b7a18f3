import type { CliContext } from '../context.ts';
import { createLocalAdmin } from '../local-admin.ts';
import { createLocalAgents } from '../open-agents.ts';
import { findHealthyServer } from '../open-runs.ts';
import { createLocalSessions } from '../open-sessions.ts';
import type { ChatAccess } from './chat-access.ts';

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
