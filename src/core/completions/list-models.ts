import type { Agent, AgentStore } from '../agents/agent.ts';
import { toRuntimeError } from '../errors.ts';
import { DEFAULT_AGENT_ID } from '../ids.ts';
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
  const agents = defaultFirst(await deps.agents.list());
  const references = await listReferences(deps, agents);
  const embedder = deps.embeddingModel();
  const names = [...references, ...(embedder === undefined ? [] : [embedder])];
  return [
    ...agents.map((agent) => ({
      id: `${AGENT_PREFIX}${nameAgent(agent, agents)}`,
      createdAtMs: agent.createdAtMs,
      ownedBy: 'pincer',
    })),
    ...[...new Set(names)].map((id) => ({
      id,
      createdAtMs: deps.startedAtMs,
      ownedBy: id.slice(0, id.indexOf('/')),
    })),
  ];
}

/** Programs with a choice of models often take the first. */
function defaultFirst(agents: readonly Agent[]): readonly Agent[] {
  const rank = ({ id }: Agent) => (id === DEFAULT_AGENT_ID ? 0 : 1);
  return agents.toSorted((one, other) => rank(one) - rank(other));
}

const PLAIN_NAME = /^[A-Za-z0-9_.-]+$/;

/** By its name where that is plain and leads to nobody else; a slug always does. */
function nameAgent({ id, name, slug }: Agent, agents: readonly Agent[]): string {
  const isTaken = agents.some(
    (other) =>
      other.id !== id &&
      [other.id, other.slug, other.name].some((one) => one.toLowerCase() === name.toLowerCase()),
  );
  return PLAIN_NAME.test(name) && !isTaken ? name : slug;
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
export async function findReference(
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
