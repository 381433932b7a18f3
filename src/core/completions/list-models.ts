import type { Agent, AgentStore } from '../agents/agent.ts';
import { toRuntimeError } from '../errors.ts';
import type { Models } from '../loop/model.ts';

/** What a caller may name as the model of a completion, or of embeddings. */
export interface ListedModel {
  readonly id: string;
  readonly createdAtMs: number;
  readonly ownedBy: string;
}

export interface ListModelsDeps {
  readonly agents: Pick<AgentStore, 'list'>;
  readonly models: Pick<Models, 'describe'>;
  /** `provider/name` of what the configuration speaks of beside the default. */
  readonly configuredModels: () => readonly string[];
  /** Undefined when there is none. */
  readonly embeddingModel: () => string | undefined;
  readonly startedAtMs: number;
}

export const AGENT_PREFIX = 'agent/';

/** Agents first, then the models that they and the configuration name, then the embedder. */
export async function listModels(deps: ListModelsDeps): Promise<readonly ListedModel[]> {
  const agents = await deps.agents.list();
  const references = await listReferences(deps, agents);
  const embedder = deps.embeddingModel();
  const names = [...references, ...(embedder === undefined ? [] : [embedder])];
  return [
    ...agents.map(({ slug, createdAtMs }) => ({
      id: `${AGENT_PREFIX}${slug}`,
      createdAtMs,
      ownedBy: 'pincer',
    })),
    ...[...new Set(names)].map((id) => ({
      id,
      createdAtMs: deps.startedAtMs,
      ownedBy: id.slice(0, id.indexOf('/')),
    })),
  ];
}

/** Models for completions, as `provider/name`. */
export async function listReferences(
  { models, configuredModels }: Pick<ListModelsDeps, 'models' | 'configuredModels'>,
  agents: readonly Pick<Agent, 'model'>[],
): Promise<readonly string[]> {
  const own = agents.flatMap(({ model }) => model ?? []);
  const named = await Promise.all([undefined, ...own].map((one) => findReference(models, one)));
  const known = named.flatMap((reference) => reference ?? []);
  return [...new Set([...known, ...configuredModels()])];
}

/** Undefined for what is configured and can't be asked: a list is no place to fail for it. */
async function findReference(
  models: Pick<Models, 'describe'>,
  reference: string | undefined,
): Promise<string | undefined> {
  try {
    const { provider, name } = await models.describe(reference);
    return `${provider}/${name}`;
  } catch (thrown) {
    if (toRuntimeError(thrown).code === 'provider_misconfigured') return undefined;
    throw thrown;
  }
}
