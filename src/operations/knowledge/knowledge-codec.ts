import { toIso } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import type { FactId, HandoffId, MemoryId } from '../../core/ids.ts';
import type { Graph, GraphPlace } from '../../core/knowledge/build-graph.ts';
import type { Fact } from '../../core/knowledge/fact.ts';
import type { FactQuery, GivenFact } from '../../core/knowledge/facts.ts';
import type { FeedPlace } from '../../core/knowledge/feed-store.ts';
import type { FeedPage } from '../../core/knowledge/read-feed.ts';
import type { Onlooker } from '../../core/knowledge/viewers.ts';
import { OPERATOR } from '../../core/principal.ts';
import { decodeCursor, decodeIdCursor, encodeCursor, encodeNext } from '../cursor.ts';
import type {
  AddFactShape,
  FactListShape,
  FactShape,
  FeedShape,
  GraphShape,
  ListFactsShape,
} from './knowledge-shapes.ts';

/** The query names the reader, or the header does. */
export function decodeOnlooker(
  inQuery: string | undefined,
  inHeader: string | undefined,
): Onlooker {
  return { owner: OPERATOR, ...defined({ reader: inQuery ?? inHeader }) };
}

export function encodeFeed(projectId: string, { entries, next }: FeedPage): FeedShape {
  return {
    project_id: projectId,
    entries: entries.map((entry) => ({
      id: entry.id,
      kind: entry.kind,
      agent_id: entry.agentId ?? null,
      ...defined({ to_agent_id: entry.toAgentId }),
      message: entry.message,
      timestamp: toIso(entry.atMs),
    })),
    next_cursor: next === undefined ? null : encodeCursor(`${next.atMs} ${next.id}`),
  };
}

export function decodeFeedCursor(cursor: string): FeedPlace {
  const place = decodeCursor(cursor, (text) => /^\d{1,15} [\w.-]{1,160}$/.test(text));
  const [atMs = '', id = ''] = place.split(' ');
  return { atMs: Number(atMs), id };
}

export function encodeGraph(projectId: string, graph: Graph): GraphShape {
  return {
    project_id: projectId,
    nodes: [...graph.nodes],
    edges: [...graph.edges],
    truncated: graph.isTruncated,
    next_cursor: encodeNext(graph.next && encodeGraphPlace(graph.next)),
  };
}

function encodeGraphPlace({ handoffs, facts, memories }: GraphPlace): string {
  return [handoffs, facts, memories].map((id) => id ?? '').join(' ');
}

export function decodeGraphCursor(cursor: string): GraphPlace {
  const place = decodeCursor(cursor, (text) => GRAPH_PLACE_PATTERN.test(text));
  const [handoffs, facts, memories] = place.split(' ').map((id) => (id === '' ? undefined : id));
  return {
    handoffs: handoffs as HandoffId | undefined,
    facts: facts as FactId | undefined,
    memories: memories as MemoryId | undefined,
  };
}

/** An id of each kind, or nothing where none was reached. */
const GRAPH_PLACE_PATTERN = /^[\w-]{0,128} [\w-]{0,128} [\w-]{0,128}$/;

export function encodeFact(fact: Fact): FactShape {
  return {
    fact_id: fact.id,
    project_id: fact.projectId,
    subject: fact.subject,
    relation: fact.relation,
    object: fact.object,
    source: fact.source,
    agent_id: fact.agentId ?? null,
    owner: fact.owner,
    private: fact.isPrivate,
    valid_from: toIso(fact.validFromMs),
    valid_to: fact.validToMs === undefined ? null : toIso(fact.validToMs),
    created_at: toIso(fact.createdAtMs),
  };
}

export function encodeFactPage(page: {
  readonly facts: readonly Fact[];
  readonly next: FactId | undefined;
}): FactListShape {
  return { facts: page.facts.map(encodeFact), next_cursor: encodeNext(page.next) };
}

export function decodeNewFact(body: AddFactShape): GivenFact {
  const { subject, relation, object, source, valid_from: from, valid_to: to } = body;
  return {
    owner: OPERATOR,
    projectId: body.project_id,
    ...{ subject, relation, object, source },
    ...defined({
      agent: body.agent_id,
      validFromMs: from === undefined ? undefined : Date.parse(from),
      validToMs: to === undefined ? undefined : Date.parse(to),
      isReplacing: body.replaces,
    }),
  };
}

export function decodeFactQuery(query: ListFactsShape, onlooker: Onlooker): FactQuery {
  const { subject, relation, object, q: text, at, include_past: past, limit, cursor } = query;
  const atMs = at === undefined ? undefined : Date.parse(at);
  const when: FactQuery['when'] = past === 'true' ? 'all' : atMs;
  return {
    ...onlooker,
    limit,
    ...defined({ projectId: query.project_id, subject, relation, object, text, when }),
    ...(cursor === undefined ? {} : { before: decodeIdCursor(cursor) as FactId }),
  };
}
