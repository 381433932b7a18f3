import { resolveAgent } from '../../../core/agents/resolve-agent.ts';
import { createHandoffReader } from '../../../core/handoffs/handoffs.ts';
import { createFactReader } from '../../../core/knowledge/facts.ts';
import { createKnowledge } from '../../../core/knowledge/knowledge.ts';
import { createViewers } from '../../../core/knowledge/viewers.ts';
import { createProjects } from '../../../core/projects/projects.ts';
import type { HandoffReading, HandoffWriting } from '../../../operations/handoffs/handoffs.ts';
import type {
  KnowledgeReading,
  KnowledgeWriting,
} from '../../../operations/knowledge/knowledge.ts';
import type { ProjectReading } from '../../../operations/projects/projects.ts';
import type { ReadOnlyStore } from '../program/context.ts';
import { askAt } from './ask-runtime.ts';
import { fromRuntime, fromStore, type Place } from './place.ts';

type Stored = Pick<
  ReadOnlyStore,
  'agents' | 'handoffs' | 'facts' | 'feed' | 'projects' | 'runs' | 'events'
>;

const HANDOFFS: Place<HandoffReading, HandoffWriting> = {
  read: fromStore((store) => {
    const { agents, handoffs } = store ?? NOTHING;
    return { handoffs: createHandoffReader({ store: handoffs, agents: naming(agents) }) };
  }),
  write: fromRuntime(({ handoffs }) => ({ handoffs })),
};

const KNOWLEDGE: Place<KnowledgeReading, KnowledgeWriting> = {
  read: fromStore((store, { clock }) => {
    const known = store ?? NOTHING;
    const viewers = createViewers(naming(known.agents));
    return {
      knowledge: createKnowledge({ ...known, viewers, clock }),
      facts: createFactReader({ store: known.facts, viewers, clock }),
    };
  }),
  write: fromRuntime(({ knowledge, facts }) => ({ knowledge, facts })),
};

const fromProjects = fromStore((store, { clock }): ProjectReading => {
  const known = store ?? NOTHING;
  const viewers = createViewers(naming(known.agents));
  return { projects: createProjects({ ...known, viewers, clock }) };
});

export const askHandoffs = askAt(HANDOFFS);
export const askKnowledge = askAt(KNOWLEDGE);
export const askProjects = askAt({ read: fromProjects, write: fromProjects });

const naming = (agents: Stored['agents']) => ({
  resolve: (reference: string) => resolveAgent(agents, reference),
});

const none = async () => [];
const nobody = async () => undefined;
const NO_TALLY = {
  ...{ waitingRuns: 0, activeRuns: 0, completedRuns: 0, failedRuns: 0, cancelledRuns: 0 },
  ...{ openHandoffs: 0, facts: 0, lastActivityAtMs: undefined },
};

/** A state root that was never used. */
const NOTHING = {
  agents: { list: none, find: nobody, findBySlug: nobody },
  handoffs: { list: none, find: nobody },
  facts: { list: none },
  feed: { list: none, listMemories: none },
  projects: {
    tally: async (id: string) => ({ id, ...NO_TALLY }),
    list: none,
    listAgents: none,
    listActiveRuns: none,
  },
  runs: { find: nobody },
  events: { read: none, floor: async () => 0 },
} as unknown as Stored;
