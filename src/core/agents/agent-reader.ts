import type { RunStore } from '../runs/run-store.ts';
import type { Agent, AgentStore } from './agent.ts';
import type { AgentReader } from './agents.ts';
import { resolveAgent } from './resolve-agent.ts';

export interface AgentReaderDeps {
  readonly store: Pick<AgentStore, 'find' | 'findBySlug' | 'list'>;
  readonly runs: Pick<RunStore, 'list'>;
}

/** Runs under way on all nodes together; beyond these, some agent may look idle that is not. */
const MAX_LOOKED_AT = 200;

const UNDER_WAY = ['running', 'cancelling'] as const;

export function createAgentReader({ store, runs }: AgentReaderDeps): AgentReader {
  const resolve = (reference: string): Promise<Agent> => resolveAgent(store, reference);

  async function isWorking({ id }: Agent): Promise<boolean> {
    const pages = await Promise.all(
      UNDER_WAY.map((status) => runs.list({ agentId: id, status, limit: 1 })),
    );
    return pages.some((page) => page.runs.length > 0);
  }

  async function findWorking(): Promise<ReadonlySet<string>> {
    const pages = await Promise.all(
      UNDER_WAY.map((status) => runs.list({ status, limit: MAX_LOOKED_AT })),
    );
    return new Set(pages.flatMap((page) => page.runs.map((run) => run.agentId)));
  }

  return {
    resolve,

    async get(reference) {
      const agent = await resolve(reference);
      return show(agent, agent.status === 'idle' && (await isWorking(agent)));
    },

    async list({ limit, after }) {
      const [stored, working] = await Promise.all([store.list(), findWorking()]);
      const all = stored.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const rest = after === undefined ? all : all.filter(({ id }) => id > after);
      const agents = rest.slice(0, limit).map((agent) => show(agent, working.has(agent.id)));
      return { agents, next: rest.length > limit ? agents.at(-1)?.id : undefined };
    },
  };
}

function show(agent: Agent, isWorking: boolean): Agent {
  return isWorking && agent.status === 'idle' ? { ...agent, status: 'busy' } : agent;
}
