import { RuntimeError, toRuntimeError } from '../errors.ts';
import { AGENT_ID_PATTERN, type AgentId } from '../ids.ts';
import type { Models } from '../loop/model.ts';
import type { Redactor } from '../redact/redact.ts';
import type { Agent, AgentStore } from './agent.ts';

/** What every surface may do with the definitions of agents. Ids come as callers gave them. */
export interface Agents {
  /** By id. */
  list(page: { readonly limit: number; readonly after?: AgentId }): Promise<AgentPage>;
  /** Throws `not_found`. */
  get(id: string): Promise<Agent>;
  /** Throws `conflict` when the id is taken, `limit_reached` when there are too many. */
  create(agent: GivenAgent & { readonly id: string }): Promise<Agent>;
  /** Changes the fields that are given. Throws `not_found`. */
  update(id: string, change: GivenAgent): Promise<Agent>;
}

export interface GivenAgent {
  readonly name?: string;
  readonly role?: string;
  /** Null: the model of the runtime. */
  readonly model?: string | null;
  readonly instructions?: string;
}

export interface AgentPage {
  readonly agents: readonly Agent[];
  readonly next: AgentId | undefined;
}

export interface AgentsDeps {
  readonly store: AgentStore;
  readonly models: Pick<Models, 'describe'>;
  readonly redactor: Pick<Redactor, 'redactText'>;
}

export const MAX_AGENTS = 1_000;

export function createAgents(deps: AgentsDeps): Agents {
  const { store } = deps;

  async function get(given: string): Promise<Agent> {
    const id = parseAgentId(given);
    const agent = await store.find(id);
    if (!agent) throw agentNotFound(id);
    return agent;
  }

  /** What is stored of what was given: texts redacted, the model one that exists. */
  async function parse({ name, role, model, instructions }: GivenAgent) {
    const redact = (text: string) => deps.redactor.redactText(text);
    if (typeof model === 'string') await assertModel(deps.models, model);
    return {
      ...(name === undefined ? {} : { name: redact(name) }),
      ...(role === undefined ? {} : { role: redact(role) }),
      ...(model === undefined ? {} : { model: model ?? undefined }),
      ...(instructions === undefined ? {} : { instructions: redact(instructions) }),
    };
  }

  return {
    async list({ limit, after }) {
      const all = [...(await store.list())].sort((a, b) => (a.id < b.id ? -1 : 1));
      const rest = after === undefined ? all : all.filter(({ id }) => id > after);
      const agents = rest.slice(0, limit);
      return { agents, next: rest.length > limit ? agents.at(-1)?.id : undefined };
    },

    get,

    async create({ id: given, ...fields }) {
      const id = parseAgentId(given);
      const defaults = { name: id, role: '', model: undefined, instructions: '' };
      const result = await store.create({ id, ...defaults, ...(await parse(fields)) }, MAX_AGENTS);
      if (result.outcome === 'created') return result.agent;
      if (result.outcome === 'exists') {
        throw new RuntimeError('conflict', `agent ${id} exists already`);
      }
      throw new RuntimeError('limit_reached', `there are ${MAX_AGENTS} agents already`);
    },

    async update(given, change) {
      const id = parseAgentId(given);
      const fields = await parse(change);
      if (Object.keys(fields).length === 0) return get(id);
      const updated = await store.update(id, fields);
      if (!updated) throw agentNotFound(id);
      return updated;
    },
  };
}

function parseAgentId(given: string): AgentId {
  if (AGENT_ID_PATTERN.test(given)) return given as AgentId;
  throw new RuntimeError('invalid_input', 'agent_id must be 1 to 64 letters, digits, _ or -');
}

async function assertModel(models: Pick<Models, 'describe'>, model: string): Promise<void> {
  try {
    await models.describe(model);
  } catch (thrown) {
    const { code, message } = toRuntimeError(thrown);
    if (code !== 'provider_misconfigured') throw thrown;
    throw new RuntimeError('invalid_input', message, { cause: thrown });
  }
}

function agentNotFound(id: AgentId): RuntimeError {
  return new RuntimeError('not_found', `agent ${id} does not exist`, {
    details: { thing: 'agent' },
  });
}
