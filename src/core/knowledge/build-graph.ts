import type { Handoff } from '../handoffs/handoff.ts';
import type { AgentId, FactId, HandoffId, MemoryId } from '../ids.ts';
import { cutLine } from '../sessions/cut-text.ts';
import type { Fact } from './fact.ts';
import { toTerm } from './fact-term.ts';
import type { KnownMemory } from './feed-store.ts';

export const NODE_TYPES = ['agent', 'finding', 'memory', 'entity', 'tag'] as const;

export interface GraphNode {
  readonly id: string;
  readonly label: string;
  readonly type: (typeof NODE_TYPES)[number];
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly relation: string;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Something did not find room: it is on a later page, or has more nodes than any page. */
  readonly isTruncated: boolean;
  /** Where the next page begins; undefined when this is the last one. */
  readonly next: GraphPlace | undefined;
}

/** The last thing of each kind that was looked at. */
export interface GraphPlace {
  readonly handoffs?: HandoffId | undefined;
  readonly facts?: FactId | undefined;
  readonly memories?: MemoryId | undefined;
}

/** Newest first, each as far as it may be seen. */
export interface GraphParts {
  readonly handoffs: Found<Handoff>;
  readonly facts: Found<Fact>;
  readonly memories: Found<KnownMemory>;
  readonly names: ReadonlyMap<AgentId, string>;
}

export interface Found<Thing> {
  readonly things: readonly Thing[];
  /** Older ones were not read. */
  readonly hasMore: boolean;
}

/** What one thing adds: all of its nodes or none, so that no edge leads nowhere. */
interface Piece {
  readonly id: string;
  readonly atMs: number;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

interface Kind {
  readonly name: keyof GraphPlace;
  readonly pieces: readonly Piece[];
  readonly hasMore: boolean;
  /** How many were looked at. */
  seen: number;
}

export interface GraphPage {
  readonly maxNodes: number;
  /** The place where the page before ended. */
  readonly after?: GraphPlace;
}

const MAX_LABEL_CHARS = 120;

/** The newest things that fit, and how they hang together. */
export function buildGraph(parts: GraphParts, { maxNodes, after }: GraphPage): Graph {
  const kinds = toKinds(parts);
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  let place: GraphPlace = { ...after };
  let isTruncated = false;
  const end = (next: GraphPlace | undefined): Graph => ({
    nodes: [...nodes.values()],
    edges: [...edges.values()],
    isTruncated: isTruncated || next !== undefined,
    next,
  });
  for (;;) {
    // What was not read of one kind may be newer than what is left of the others.
    if (kinds.some((kind) => kind.hasMore && !headOf(kind))) return end(place);
    const newest = findNewest(kinds);
    const piece = newest && headOf(newest);
    if (newest === undefined || piece === undefined) return end(undefined);
    const added = new Set(piece.nodes.map(({ id }) => id).filter((id) => !nodes.has(id)));
    if (nodes.size + added.size > maxNodes) {
      if (nodes.size > 0) return end(place);
      // No page has room for it.
      isTruncated = true;
    } else {
      for (const node of piece.nodes) if (!nodes.has(node.id)) nodes.set(node.id, node);
      for (const edge of piece.edges) edges.set(JSON.stringify(edge), edge);
    }
    newest.seen += 1;
    place = { ...place, [newest.name]: piece.id };
  }
}

function toKinds({ handoffs, facts, memories, names }: GraphParts): Kind[] {
  const toKind = <Thing>(
    name: Kind['name'],
    { things, hasMore }: Found<Thing>,
    toPiece: (thing: Thing, known: GraphParts['names']) => Piece,
  ): Kind => ({ name, pieces: things.map((thing) => toPiece(thing, names)), hasMore, seen: 0 });
  return [
    toKind('handoffs', handoffs, fromHandoff),
    toKind('facts', facts, fromFact),
    toKind('memories', memories, fromMemory),
  ];
}

/** The kind whose next thing is the newest; those of one kind keep their order. */
function findNewest(kinds: readonly Kind[]): Kind | undefined {
  const atMs = (kind: Kind) => headOf(kind)?.atMs ?? Number.NEGATIVE_INFINITY;
  return kinds
    .filter(headOf)
    .reduce<Kind | undefined>(
      (newest, kind) => (newest && atMs(newest) >= atMs(kind) ? newest : kind),
      undefined,
    );
}

function headOf({ pieces, seen }: Kind): Piece | undefined {
  return pieces[seen];
}

function fromHandoff(handoff: Handoff, names: GraphParts['names']): Piece {
  const [from, to] = [toAgent(handoff.from, names), toAgent(handoff.to, names)];
  const finding = toNode(`finding:${handoff.id}`, handoff.content, 'finding');
  return {
    id: handoff.id,
    atMs: handoff.createdAtMs,
    nodes: [from, to, finding],
    edges: [
      { from: from.id, to: finding.id, relation: 'hands_off' },
      { from: finding.id, to: to.id, relation: 'received_by' },
    ],
  };
}

function fromFact(fact: Fact, names: GraphParts['names']): Piece {
  const subject = toNode(`entity:${toTerm(fact.subject)}`, fact.subject, 'entity');
  const object = toNode(`entity:${toTerm(fact.object)}`, fact.object, 'entity');
  const said = { from: subject.id, to: object.id, relation: fact.relation };
  const author = fact.agentId === undefined ? undefined : toAgent(fact.agentId, names);
  return {
    id: fact.id,
    atMs: fact.createdAtMs,
    nodes: [subject, object, ...(author ? [author] : [])],
    edges: [said, ...(author ? [{ from: author.id, to: subject.id, relation: 'knows' }] : [])],
  };
}

function fromMemory(memory: KnownMemory, names: GraphParts['names']): Piece {
  const author = toAgent(memory.agentId, names);
  const content = toNode(`memory:${memory.id}`, memory.content, 'memory');
  const tags = memory.tags.map((tag) => toNode(`tag:${toTerm(tag)}`, tag, 'tag'));
  return {
    id: memory.id,
    atMs: memory.createdAtMs,
    nodes: [author, content, ...tags],
    edges: [
      { from: author.id, to: content.id, relation: 'knows' },
      ...tags.map(({ id }) => ({ from: content.id, to: id, relation: 'tagged' })),
    ],
  };
}

function toAgent(id: AgentId, names: GraphParts['names']): GraphNode {
  return toNode(`agent:${id}`, names.get(id) ?? id, 'agent');
}

function toNode(id: string, label: string, type: GraphNode['type']): GraphNode {
  return { id, label: cutLine(label, MAX_LABEL_CHARS), type };
}
