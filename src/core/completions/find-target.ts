import { type AgentDirectory, resolveAgent } from '../agents/resolve-agent.ts';
import { RuntimeError, toRuntimeError } from '../errors.ts';
import { DEFAULT_AGENT_ID } from '../ids.ts';
import type { Target } from './completions.ts';
import { AGENT_PREFIX, type ListModelsDeps, listReferences } from './list-models.ts';

export interface FindTargetDeps extends Pick<ListModelsDeps, 'models' | 'configuredModels'> {
  readonly agents: AgentDirectory;
}

/** Who answers under a name: an agent, or the default agent with another model. Throws `not_found`. */
export async function findTarget(deps: FindTargetDeps, name: string): Promise<Target> {
  if (name.startsWith(AGENT_PREFIX)) return findAgent(deps, name);
  const model = name.includes('/')
    ? await checkReference(deps, name)
    : await findByName(deps, name);
  return { agentId: DEFAULT_AGENT_ID, model };
}

async function findAgent({ agents }: FindTargetDeps, name: string): Promise<Target> {
  try {
    const { id } = await resolveAgent(agents, name.slice(AGENT_PREFIX.length));
    return { agentId: id, model: undefined };
  } catch (thrown) {
    const { code, message } = toRuntimeError(thrown);
    throw code === 'not_found' ? modelNotFound(name, message) : thrown;
  }
}

async function checkReference({ models }: FindTargetDeps, name: string): Promise<string> {
  try {
    await models.describe(name);
    return name;
  } catch (thrown) {
    const { code, message } = toRuntimeError(thrown);
    throw code === 'provider_misconfigured' ? modelNotFound(name, message) : thrown;
  }
}

/** Without its provider, as most clients write it: of the models that are listed. */
async function findByName(deps: FindTargetDeps, name: string): Promise<string> {
  const listed = await listReferences(deps, await deps.agents.list());
  const found = listed.find((reference) => reference.slice(reference.indexOf('/') + 1) === name);
  if (found === undefined) throw modelNotFound(name, 'no model of that name is configured');
  return found;
}

/** Names are as long as callers like. */
const MAX_SHOWN_CHARS = 100;

export function modelNotFound(name: string, reason: string): RuntimeError {
  const shown = JSON.stringify(name.slice(0, MAX_SHOWN_CHARS));
  return new RuntimeError(
    'not_found',
    `the model ${shown} does not exist: ${reason}. GET /v1/models lists those that do`,
    { details: { thing: 'model', field: 'model' } },
  );
}
