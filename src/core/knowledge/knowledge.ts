import type { AgentStore } from '../agents/agent.ts';
import type { Clock } from '../clock.ts';
import type { Handoff, HandoffStore } from '../handoffs/handoff.ts';
import type { FactId, HandoffId, MemoryId } from '../ids.ts';
import { buildGraph, type Found, type Graph, type GraphPage } from './build-graph.ts';
import type { Fact, FactStore } from './fact.ts';
import type { FeedStore, KnownMemory } from './feed-store.ts';
import { type FeedDeps, type FeedPage, type FeedRequest, readFeed } from './read-feed.ts';
import type { Onlooker } from './viewers.ts';

/** What was learned in a project, and how it hangs together. */
export interface Knowledge {
  feed(request: FeedRequest): Promise<FeedPage>;
  graph(request: GraphRequest): Promise<Graph>;
}

export interface GraphRequest extends Onlooker, GraphPage {
  readonly projectId: string;
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

    async graph({ projectId, maxNodes, after, ...onlooker }) {
      const viewer = await deps.viewers.see(onlooker);
      const { owner, readerId, isOwnOnly } = viewer;
      const ofReader = isOwnOnly && readerId !== undefined && { agentId: readerId };
      const atMs = deps.clock.nowMs();
      // As a rule a thing has a node of its own: one more of each than fit is enough for a page. Facts may share theirs,
      // and a look brings many: a small page is not cut off by how few were read.
      const most = Math.max(maxNodes + 1, LOOK);
      const [handoffs, facts, memories, agents] = await Promise.all([
        gather<HandoffId, Handoff>({ most, before: after?.handoffs }, (page) =>
          deps.handoffs.list({ owner, projectId, ...ofReader, ...page }),
        ),
        gather<FactId, Fact>({ most, before: after?.facts }, (page) =>
          deps.facts.list({ ...viewer, projectId, atMs, ...page }),
        ),
        gather<MemoryId, KnownMemory>({ most, before: after?.memories }, (page) =>
          deps.feed.listMemories({ ...viewer, projectId, ...page }),
        ),
        deps.agents.list(),
      ]);
      const names = new Map(agents.map(({ id, name }) => [id, name]));
      return buildGraph(
        { handoffs, facts, memories, names },
        { maxNodes, ...(after && { after }) },
      );
    },
  };
}

interface PageOf<Id> {
  readonly limit: number;
  readonly before?: Id;
}

/** Of one look; stores bring no more at once. */
const LOOK = 500;

interface Gathering<Id> {
  readonly most: number;
  readonly before: Id | undefined;
}

/** The newest, page by page: no more than so many. */
async function gather<Id extends string, Thing extends { readonly id: Id }>(
  { most, before: first }: Gathering<Id>,
  list: (page: PageOf<Id>) => Promise<readonly Thing[]>,
): Promise<Found<Thing>> {
  const things: Thing[] = [];
  for (;;) {
    const before = things.at(-1)?.id ?? first;
    const limit = Math.min(LOOK, most - things.length);
    const page = await list({ limit, ...(before !== undefined && { before }) });
    things.push(...page);
    if (page.length < limit) return { things, hasMore: false };
    if (things.length >= most) return { things, hasMore: true };
  }
}
