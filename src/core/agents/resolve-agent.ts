import { RuntimeError } from '../errors.ts';
import type { AgentId } from '../ids.ts';
import type { Agent, AgentStore } from './agent.ts';

/** Where an agent is looked for by whatever name somebody gave it. */
export type AgentDirectory = Pick<AgentStore, 'find' | 'findBySlug' | 'list'>;

/** What may name an agent. It may become a part of a path on its way; a name that can't has an id and a slug beside it. */
export const AGENT_REFERENCE_PATTERN = /^(?!\s*$)(?!.*\.\.)[^/\\\p{Cc}\p{Cs}\u2028\u2029]{1,128}$/u;
export const AGENT_REFERENCE_RULE =
  'must be 1 to 128 characters, without control characters, /, \\ or ..';

/** As many as a hint has room for. */
const MAX_NAMESAKES_TOLD = 5;

/** By id, else by slug, else by a name that only one agent has, whatever its case. Throws `not_found`. */
export async function resolveAgent(agents: AgentDirectory, reference: string): Promise<Agent> {
  const given = reference.trim();
  const agent = (await agents.find(given as AgentId)) ?? (await agents.findBySlug(given));
  if (agent) return agent;
  const name = fold(given);
  const namesakes = (await agents.list()).filter((one) => fold(one.name) === name);
  const [first, second] = namesakes;
  if (first === undefined) throw agentNotFound(given);
  if (second === undefined) return first;
  throw ambiguous(given, namesakes);
}

/** Who would be meant by this name already: by an id, a slug, or a name whatever its case. */
export function findNamesake(agents: readonly Agent[], name: string): Agent | undefined {
  const folded = fold(name);
  return agents.find((one) => one.id === name || one.slug === folded || fold(one.name) === folded);
}

/** For filters: what nobody is called any more may still stand in records, as the id of somebody who is gone. */
export async function toAgentId(agents: AgentDirectory, reference: string): Promise<AgentId> {
  try {
    return (await resolveAgent(agents, reference)).id;
  } catch (thrown) {
    if (thrown instanceof RuntimeError && thrown.code === 'not_found') return reference as AgentId;
    throw thrown;
  }
}

export function agentNotFound(reference: string): RuntimeError {
  return new RuntimeError('not_found', `agent ${reference} does not exist`, {
    details: { thing: 'agent' },
  });
}

function ambiguous(name: string, namesakes: readonly Agent[]): RuntimeError {
  const slugs = namesakes.slice(0, MAX_NAMESAKES_TOLD).map(({ slug }) => slug);
  return new RuntimeError(
    'not_found',
    `${namesakes.length} agents are called ${name}: name one by its slug (${slugs.join(', ')})`,
    {
      details: {
        thing: 'agent',
        slugs,
        recovery_action: 'Name the agent by its slug or its id.',
      },
    },
  );
}

function fold(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}
