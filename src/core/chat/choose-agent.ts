import type { Place } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';

export interface AgentChoice {
  readonly sessions: Pick<Sessions, 'findActiveAgent'>;
  readonly defaultAgentId: string;
}

/** Whom a message is for, by whatever name. Nobody has checked that this agent exists. */
export async function chooseAgent(
  choice: AgentChoice,
  request: { readonly place: Place; readonly agentId?: string },
): Promise<string> {
  return (
    request.agentId ??
    (await choice.sessions.findActiveAgent(request.place)) ??
    choice.defaultAgentId
  );
}
