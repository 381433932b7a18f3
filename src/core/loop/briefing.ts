import type { Agent } from '../agents/agent.ts';
import { isToldOf } from '../agents/agent-skills.ts';
import type { AgentId } from '../ids.ts';
import type { Redactor } from '../redact/redact.ts';
import type { SkillLine } from '../skills/skill-shelf.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { Tool } from '../tools/tool.ts';
import type { Model, ToolDescription } from './model.ts';
import { type OfferToolsDeps, offerTools } from './offer-tools.ts';
import type { RunState } from './run-state.ts';
import { buildSystemPrompt, SKILL_READER } from './system-prompt.ts';

/** What a model is told beside the conversation. */
export interface Briefing {
  readonly system: string;
  readonly tools: readonly ToolDescription[];
}

export interface BriefingRequest {
  readonly agent: Agent;
  /** Whom the run acts for. */
  readonly owner: string;
  readonly toolCalls: Model['toolCalls'];
  readonly state: RunState;
}

export type Brief = (request: BriefingRequest) => Promise<Briefing>;

export interface BriefDeps extends OfferToolsDeps {
  readonly registry: Pick<ToolRegistry, 'find'>;
  readonly isGranted: (agentId: AgentId, tool: Tool, principal: string) => boolean;
  readonly redactor: Redactor;
  /** Skills that an agent may read when it needs them. */
  readonly skills: { listForPrompt(principal: string): Promise<readonly SkillLine[]> };
}

export function createBrief(deps: BriefDeps): Brief {
  const redact = createPromptRedactor(deps.redactor);
  return async (request) => {
    const { agent, toolCalls, state } = request;
    const skills = await listSkills(deps, request);
    const tools = toolCalls === 'none' ? [] : offerTools(deps, request);
    const isRecovering = state.recovery.isActive;
    const parts = { agent, tools, toolCalls, skills, given: state.prompt, isRecovering };
    return { system: redact(agent.id, buildSystemPrompt(parts)), tools };
  };
}

/** Agents whose prompt is kept. */
const MAX_PROMPTS = 256;

/** An agent is told the same in nearly every turn, and looking through it for secrets takes longer than writing it. */
function createPromptRedactor(redactor: Redactor): (agentId: AgentId, prompt: string) => string {
  const latest = new Map<AgentId, { readonly prompt: string; readonly system: string }>();
  let secrets = redactor.knownSecrets?.();
  return (agentId, prompt) => {
    const known = redactor.knownSecrets?.();
    if (known !== secrets || latest.size > MAX_PROMPTS) latest.clear();
    secrets = known;
    const kept = latest.get(agentId);
    if (kept?.prompt === prompt) return kept.system;
    const system = redactor.redactText(prompt);
    latest.set(agentId, { prompt, system });
    return system;
  };
}

/** Only for agents that can read them; one with skills of its own is told of those that it names. */
async function listSkills(
  deps: BriefDeps,
  { agent, owner }: BriefingRequest,
): Promise<readonly SkillLine[]> {
  const reader = deps.registry.find(SKILL_READER);
  const canRead = reader !== undefined && deps.isGranted(agent.id, reader, owner);
  const all = canRead ? await deps.skills.listForPrompt(owner) : [];
  return all.filter(({ name }) => isToldOf(agent.skills, name));
}
