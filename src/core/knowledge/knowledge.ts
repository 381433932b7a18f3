import type { AgentStore } from '../agents/agent.ts';
import type { Clock } from '../clock.ts';
import type { Handoff, HandoffStore } from '../handoffs/handoff.ts';
import type { FactId, HandoffId, MemoryId } from '../ids.ts';
import { buildGraph, type Graph } from './build-graph.ts';
import type { Fact, FactStore } from './fact.ts';
import type { FeedStore, KnownMemory } from './feed-store.ts';
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
      const ofReader = isOwnOnly && readerId !== undefined && { agentId: readerId };
      const atMs = deps.clock.nowMs();
      // No thing has fewer than one node of its own: one more of each than fit tells whether all did.
      const most = maxNodes + 1;
      const [handoffs, facts, memories, agents] = await Promise.all([
        gather<HandoffId, Handoff>(most, (page) =>
          deps.handoffs.list({ owner, projectId, ...ofReader, ...page }),
        ),
        gather<FactId, Fact>(most, (page) =>
          deps.facts.list({ ...viewer, projectId, atMs, ...page }),
        ),
        gather<MemoryId, KnownMemory>(most, (page) =>
          deps.feed.listMemories({ ...viewer, projectId, ...page }),
        ),
        deps.agents.list(),
      ]);
      const names = new Map(agents.map(({ id, name }) => [id, name]));
      return buildGraph({ handoffs, facts, memories, names }, maxNodes);
    },
  };
}

interface PageOf<Id> {
  readonly limit: number;
  readonly before?: Id;
}

/** Of one look; stores bring no more at once. */
const LOOK = 500;

/** The newest, page by page: no more than so many. */
async function gather<Id extends string, Thing extends { readonly id: Id }>(
  most: number,
  list: (page: PageOf<Id>) => Promise<readonly Thing[]>,
): Promise<readonly Thing[]> {
  const found: Thing[] = [];
  for (;;) {
    const before = found.at(-1)?.id;
    const limit = Math.min(LOOK, most - found.length);
    const page = await list({ limit, ...(before !== undefined && { before }) });
    found.push(...page);
    if (page.length < limit || found.length >= most) return found;
  }
}
