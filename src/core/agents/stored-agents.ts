import { RuntimeError } from '../errors.ts';
import { type AgentId, DEFAULT_AGENT_ID } from '../ids.ts';
import { put, remove as removeRow } from '../store/change.ts';
import { collection, query } from '../store/collection.ts';
import { ask, count, find, list } from '../store/need.ts';
import type { Tables } from '../store/tables.ts';
import { answer, type Decided, defineWrite } from '../store/write.ts';
import type { Agent, AgentChange, AgentStore, CreateAgentResult, NewAgent } from './agent.ts';
import { chooseSlug, toSlug } from './agent-slug.ts';

export const AGENTS = collection<Agent>()('agents', 'id');

/** Ids and slugs that begin with this: an agent is found by either, so a new one has neither. */
export const TAKEN_AGENT_NAMES = query<{ prefix: string }, { name: string }>('agents.taken');

/** Agents that do not simply use all they are granted. */
export const SKILLED_AGENTS = query<Record<string, never>, Pick<Agent, 'id' | 'skills'>>(
  'agents.skilled',
);

export const PRIVATE_AGENTS = query<Record<string, never>, Pick<Agent, 'id'>>('agents.private');

/** All of them are read in one go. */
export const MAX_AGENTS = 1_000;

/** One at a time: two that count together would both find room for one more. */
export const AGENTS_LOCK = 'agents';
const locks = () => [AGENTS_LOCK];

const needsOf = (agent: NewAgent) => ({
  existing: find(AGENTS, { id: agent.id }),
  taken: ask(TAKEN_AGENT_NAMES, { prefix: wishOf(agent) }),
  namesakes: list(AGENTS, { of: { slug: agent.id }, limit: 1 }),
});

const ensure = defineWrite({
  name: 'agents.ensure',
  locks,
  needs: needsOf,
  decide({ existing, taken }, agent, nowMs) {
    const changes = existing ? [] : [put(AGENTS, complete(agent, taken, nowMs))];
    return { value: undefined, changes };
  },
});

const create = defineWrite({
  name: 'agents.create',
  locks,
  needs: ({ agent, maxAgents }: { agent: NewAgent; maxAgents: number }) => ({
    ...needsOf(agent),
    agents: count(AGENTS, { max: maxAgents }),
  }),
  decide(found, { agent: given, maxAgents }, nowMs): Decided<CreateAgentResult> {
    // Whoever said that name would get another agent from now on.
    if (found.existing || found.namesakes.length > 0) return answer({ outcome: 'exists' });
    if (found.agents >= maxAgents) return answer({ outcome: 'full' });
    const agent = complete(given, found.taken, nowMs);
    return { value: { outcome: 'created', agent }, changes: [put(AGENTS, agent)] };
  },
});

/** The same as a part of what is stored together with it: a refusal refuses all of that. */
export const restoreAgent = defineWrite({
  name: 'agents.restore',
  locks,
  needs: create.needs,
  decide(found, given: { agent: NewAgent; maxAgents: number }, nowMs) {
    const { value, changes } = create.decide(found, given, nowMs);
    if (value.outcome === 'created') return { value: undefined, changes };
    throw value.outcome === 'exists'
      ? new RuntimeError('conflict', `agent ${given.agent.id} exists already`)
      : new RuntimeError('limit_reached', `there are ${given.maxAgents} agents already`);
  },
});

interface GivenChange {
  readonly id: AgentId;
  readonly change: AgentChange;
  readonly ifUpdatedAtMs?: number | undefined;
}

const update = defineWrite({
  name: 'agents.update',
  locks,
  needs: ({ id }: GivenChange) => ({ existing: find(AGENTS, { id }) }),
  decide({ existing }, { change, ifUpdatedAtMs }, nowMs): Decided<Agent | undefined> {
    if (!existing) return answer(existing);
    if (ifUpdatedAtMs !== undefined && existing.updatedAtMs !== ifUpdatedAtMs) {
      throw new RuntimeError(
        'conflict',
        `agent ${existing.id} was changed meanwhile: read it again`,
      );
    }
    if (Object.keys(change).length === 0) return answer(existing);
    // Later than the time before in any case: it tells two changes apart.
    const updatedAtMs = Math.max(nowMs, existing.updatedAtMs + 1);
    const agent = { ...existing, ...change, updatedAtMs };
    return { value: agent, changes: [put(AGENTS, agent)] };
  },
});

const remove = defineWrite({
  name: 'agents.remove',
  locks,
  needs: ({ id }: { id: AgentId }) => ({ existing: find(AGENTS, { id }) }),
  decide({ existing }, { id }) {
    return { value: existing !== undefined, changes: existing ? [removeRow(AGENTS, { id })] : [] };
  },
});

export const AGENT_WRITES = { ensure, create, restoreAgent, update, remove };

export function createAgentStore({ load, write }: Tables): AgentStore {
  return {
    find: (id) => load(find(AGENTS, { id })),
    findBySlug: async (slug) => (await load(list(AGENTS, { of: { slug }, limit: 1 })))[0],
    list: () => load(list(AGENTS, { limit: MAX_AGENTS })),
    ensure: (agent) => write(ensure, agent),
    create: (agent, maxAgents) => write(create, { agent, maxAgents }),
    update: (id, change, ifUpdatedAtMs) => write(update, { id, change, ifUpdatedAtMs }),
    remove: (id) => write(remove, { id }),
    listPrivate: async () => (await load(ask(PRIVATE_AGENTS, {}))).map(({ id }) => id),
    listSkills: () => load(ask(SKILLED_AGENTS, {})),
  };
}

/** An id may consist of hyphens alone, which leave no slug. */
function wishOf({ id, slug }: NewAgent): string {
  return slug ?? toSlug(id) ?? 'agent';
}

function complete(given: NewAgent, taken: readonly { name: string }[], nowMs: number): Agent {
  const { id, name, role, model, instructions } = given;
  // Its own id is a fine slug: both name the same agent.
  const others = taken.map((one) => one.name).filter((one) => one !== id);
  return {
    ...{ id, name, role, model, instructions },
    slug: chooseSlug(wishOf(given), new Set(others)),
    personalityTemplate: given.personalityTemplate,
    voiceId: given.voiceId,
    skills: given.skills ?? [],
    memoryAccess: given.memoryAccess ?? (id === DEFAULT_AGENT_ID ? 'global' : 'private'),
    status: given.status ?? 'idle',
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}
