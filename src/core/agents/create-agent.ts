import { randomUUID } from 'node:crypto';
import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import type { AgentId } from '../ids.ts';
import type { Agent, AgentStore, NewAgent } from './agent.ts';
import type { AgentFiles } from './agent-files.ts';
import { toSlug } from './agent-slug.ts';
import type { CreateAgent } from './agents.ts';
import type { ApproveMemory } from './approve-memory.ts';
import { type ParseDeps, parseAgent, parseAgentId } from './parse-agent.ts';
import { DEFAULT_TEMPLATE, getTemplate, renderSoul } from './personality-template.ts';
import { MAX_AGENTS } from './stored-agents.ts';

export interface CreateAgentDeps extends ParseDeps {
  readonly store: Pick<AgentStore, 'create' | 'remove'>;
  readonly files: Pick<AgentFiles, 'write' | 'discard' | 'findTemplate' | 'listTemplates'>;
  readonly approveMemory: ApproveMemory;
}

/** The agent with its files: one whose files can't be written is not made. */
export async function createAgent(deps: CreateAgentDeps, given: CreateAgent): Promise<Agent> {
  const { isMemoryApproved, memoryAccess, name } = given;
  const draft = await draftAgent(deps, given);
  deps.approveMemory({ memoryAccess, isMemoryApproved, agent: name ?? draft.id });
  const result = await deps.store.create(draft, MAX_AGENTS);
  switch (result.outcome) {
    case 'exists':
      throw new RuntimeError('conflict', `agent ${draft.id} exists already`);
    case 'full':
      throw new RuntimeError('limit_reached', `there are ${MAX_AGENTS} agents already`);
    case 'created':
      try {
        await deps.files.write(result.agent);
        return result.agent;
      } catch (thrown) {
        await deps.store.remove(result.agent.id);
        throw thrown;
      }
  }
}

async function draftAgent(deps: CreateAgentDeps, given: CreateAgent): Promise<NewAgent> {
  if (given.id === undefined && given.name === undefined) {
    throw new RuntimeError('invalid_input', 'agent_id or name is required');
  }
  const id = given.id === undefined ? (randomUUID() as AgentId) : parseAgentId(given.id);
  const fields = await parseAgent(deps, given);
  const plain = { name: id as string, role: '', model: undefined, skills: [], voiceId: undefined };
  const named = { ...plain, ...fields };
  // A name that leaves no slug gets one from its id.
  const slug =
    given.id === undefined ? (toSlug(named.name) ?? `agent-${id.slice(0, 8)}`) : undefined;
  return {
    id,
    ...named,
    ...defined({ slug }),
    ...(await giveSoul(deps, given, named)),
  };
}

/** In its own words, else from a template; an agent that is named by its id alone says nothing of itself. */
async function giveSoul(
  deps: CreateAgentDeps,
  { id, instructions, personalityTemplate }: CreateAgent,
  agent: Pick<Agent, 'name' | 'role' | 'skills' | 'voiceId'>,
): Promise<Pick<NewAgent, 'instructions' | 'personalityTemplate'>> {
  const wanted = personalityTemplate ?? (id === undefined ? DEFAULT_TEMPLATE : undefined);
  const template = wanted === undefined ? '' : await getTemplate(deps.files, wanted);
  const soul = instructions ?? renderSoul(template, agent);
  return { instructions: deps.redactor.redactText(soul), personalityTemplate: wanted };
}
