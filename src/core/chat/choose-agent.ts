import type { AgentId } from '../ids.ts';
import type { Place } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';

export interface AgentChoice {
  readonly sessions: Pick<Sessions, 'findActiveAgent'>;
  readonly defaultAgentId: AgentId;
}

/** Whom a message is for. Nobody has checked that this agent exists. */
export async function chooseAgent(
  choice: AgentChoice,
  request: { readonly place: Place; readonly agentId?: AgentId },
): Promise<AgentId> {
  return (
    request.agentId ??
    (await choice.sessions.findActiveAgent(request.place)) ??
    choice.defaultAgentId
  );
}
