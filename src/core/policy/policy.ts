import type { AgentId, RequestId, RunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import type { Tool, ToolTrait } from '../tools/tool.ts';
import type { Decision } from './decision.ts';

interface PolicyRequest {
  readonly requestId: RequestId;
  readonly agentId: AgentId;
  /** Whom the call is made for. */
  readonly principal: string;
  readonly runId: RunId;
  readonly tool: Tool;
  readonly input: JsonObject;
  /** What the run has been in touch with before this call. */
  readonly exposure: readonly ToolTrait[];
  /** Whether the run goes on from another, which may have made the same call. */
  readonly isFork?: boolean;
}

/** May this agent use this tool in this way? Deny is an answer, not an error. */
export interface Policy {
  decide(request: PolicyRequest): Promise<Decision>;
  /** Whether the agent is told about the tool at all, in runs for this principal. */
  isGranted(agentId: AgentId, tool: Tool, principal: string): boolean;
}
