import type { AgentId, RunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import type { Tool } from '../tools/tool.ts';

export interface PolicyRequest {
  readonly agentId: AgentId;
  readonly runId: RunId;
  readonly tool: Tool;
  readonly input: JsonObject;
}

export type Decision =
  | { readonly decision: 'allow'; readonly reason: string }
  | { readonly decision: 'deny'; readonly reason: string; readonly message: string };

/** May this agent use this tool in this way? Deny is an answer, not an error. */
export interface Policy {
  decide(request: PolicyRequest): Promise<Decision>;
}

/** Deny by default: a tool is allowed when its name is granted, to everybody or to this agent. */
export function createGrantPolicy(grants: {
  readonly everyone: readonly string[];
  readonly byAgent?: ReadonlyMap<string, readonly string[]>;
}): Policy {
  return {
    async decide({ agentId, tool }) {
      const granted = grants.byAgent?.get(agentId) ?? grants.everyone;
      if (granted.includes(tool.name)) return { decision: 'allow', reason: 'capability_granted' };
      return {
        decision: 'deny',
        reason: 'capability_missing',
        message: `agent ${agentId} may not use ${tool.name}`,
      };
    },
  };
}
