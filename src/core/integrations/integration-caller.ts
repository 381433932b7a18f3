import type { AgentId } from '../ids.ts';
import type { Capabilities } from '../policy/capabilities.ts';

/** In whose name the back end of a product calls tools by itself. No agent can have this id. */
export const INTEGRATION_CALLER = 'internal:tools_execute' as AgentId;

/** Payloads of events carry it: such calls are no part of what the model said and did. */
export const EXECUTE_ORIGIN = 'tools_execute';

export const INTEGRATION_TOOLS: ReadonlySet<string> = new Set([
  'github.get_issue',
  'github.get_pull_request',
  'github.add_issue_comment',
  'resend.send_email',
]);

/**
 * The signature, the manifest and the write approval stand in for a grant. Everything else that policy has to say, the
 * permission mode and the operator's rules, holds for these calls too.
 */
export function admitIntegrations(
  capabilities: Pick<Capabilities, 'has' | 'freshen'>,
): Pick<Capabilities, 'has' | 'freshen'> {
  return {
    freshen: () => capabilities.freshen(),
    has: (agentId, tool) =>
      agentId === INTEGRATION_CALLER
        ? INTEGRATION_TOOLS.has(tool)
        : capabilities.has(agentId, tool),
  };
}

/** The manifest of such a call brings its own key along, so that it is open to whoever signed for it. */
export function isIntegrationCall(agentId: AgentId, tool: string): boolean {
  return agentId === INTEGRATION_CALLER && INTEGRATION_TOOLS.has(tool);
}
