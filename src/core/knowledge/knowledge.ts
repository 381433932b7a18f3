import type { AgentStore } from '../agents/agent.ts';
import type { Clock } from '../clock.ts';
import type { HandoffStore } from '../handoffs/handoff.ts';
import { buildGraph, type Graph } from './build-graph.ts';
import type { FactStore } from './fact.ts';
import type { FeedStore } from './feed-store.ts';
import { type FeedDeps, type FeedPage, type FeedRequest, readFeed } from './read-feed.ts';
import type { Onlooker } from './viewers.ts';

/** What was learned in a project, and how it hangs together. */
export interface Knowledge {
  feed(request: FeedRequest): Promise<FeedPage>;
  graph(request: GraphRequest): Promise<Graph>;
}

export interface GraphRequest extends Onlooker {
  readonly projectId: string;
  readonly maxNodes: number;
}

export interface KnowledgeDeps extends FeedDeps {
  readonly feed: FeedStore;
  readonly facts: Pick<FactStore, 'list'>;
  readonly handoffs: Pick<HandoffStore, 'list'>;
  readonly agents: Pick<AgentStore, 'list'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

export function createKnowledge(deps: KnowledgeDeps): Knowledge {
  return {
    feed: (request) => readFeed(deps, request),

    async graph({ projectId, maxNodes, ...onlooker }) {
      const viewer = await deps.viewers.see(onlooker);
      const { owner, readerId, isOwnOnly } = viewer;
      // No thing has fewer than one node of its own: one more of each than fit tells whether all did.
      const limit = maxNodes + 1;
      const [handoffs, facts, memories, agents] = await Promise.all([
        deps.handoffs.list({
          ...{ owner, projectId, limit },
          ...(isOwnOnly && readerId !== undefined && { agentId: readerId }),
        }),
        deps.facts.list({ ...viewer, projectId, limit, atMs: deps.clock.nowMs() }),
        deps.feed.listMemories({ ...viewer, projectId, limit }),
        deps.agents.list(),
      ]);
      const names = new Map(agents.map(({ id, name }) => [id, name]));
      return buildGraph({ handoffs, facts, memories, names }, maxNodes);
    },
  };
}
