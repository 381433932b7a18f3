import { toRuntimeError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Agent, AgentChange, AgentStore } from './agent.ts';
import type { AgentFiles } from './agent-files.ts';
import type { ChangeAgent } from './agents.ts';
import type { ApproveMemory } from './approve-memory.ts';
import { type ParseDeps, parseAgent } from './parse-agent.ts';
import { getTemplate, renderSoul } from './personality-template.ts';
import { agentNotFound } from './resolve-agent.ts';

export interface ChangeAgentDeps extends ParseDeps {
  readonly store: Pick<AgentStore, 'update'>;
  readonly files: Pick<AgentFiles, 'write' | 'findTemplate' | 'listTemplates'>;
  readonly approveMemory: ApproveMemory;
  readonly logger: Logger;
}

/** The fields that are given. A template makes the soul anew, unless that is given too. */
export async function changeAgent(
  deps: ChangeAgentDeps,
  agent: Agent,
  given: ChangeAgent,
): Promise<Agent> {
  const { memoryAccess, isMemoryApproved } = given;
  const fields = await parseAgent(deps, given, agent);
  const change = { ...fields, ...(await remakeSoul(deps, { ...agent, ...fields }, given)) };
  deps.approveMemory({ memoryAccess, isMemoryApproved, agent: agent.id });
  if (Object.keys(change).length === 0) return agent;
  const changed = await deps.store.update(agent.id, change, given.ifUpdatedAtMs);
  if (!changed) throw agentNotFound(agent.id);
  // The store is the truth: a file that could not be written is made good before the next run.
  await deps.files.write(changed).catch((thrown: unknown) => {
    const { message } = toRuntimeError(thrown);
    deps.logger.warn(
      { agent_id: agent.id },
      `the files of ${agent.slug} were not written: ${message}`,
    );
  });
  return changed;
}

async function remakeSoul(
  { files, redactor }: ChangeAgentDeps,
  agent: Agent,
  { personalityTemplate, instructions }: ChangeAgent,
): Promise<Pick<AgentChange, 'instructions'>> {
  if (personalityTemplate === undefined) return {};
  const template = await getTemplate(files, personalityTemplate);
  if (instructions !== undefined) return {};
  return { instructions: redactor.redactText(renderSoul(template, agent)) };
}
