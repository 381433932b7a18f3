import type { Handoff } from '../handoffs/handoff.ts';
import type { AgentId } from '../ids.ts';
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
  /** There is more than was asked for. */
  readonly isTruncated: boolean;
}

/** Newest first, each as far as it may be seen. */
export interface GraphParts {
  readonly handoffs: readonly Handoff[];
  readonly facts: readonly Fact[];
  readonly memories: readonly KnownMemory[];
  readonly names: ReadonlyMap<AgentId, string>;
}

/** What one thing adds: all of its nodes or none, so that no edge leads nowhere. */
interface Piece {
  readonly atMs: number;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

const MAX_LABEL_CHARS = 120;

/** The newest things that fit, and how they hang together. */
export function buildGraph(parts: GraphParts, maxNodes: number): Graph {
  const pieces = [
    ...parts.handoffs.map((handoff) => fromHandoff(handoff, parts.names)),
    ...parts.facts.map((fact) => fromFact(fact, parts.names)),
    ...parts.memories.map((memory) => fromMemory(memory, parts.names)),
  ].sort((a, b) => b.atMs - a.atMs);
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  let isTruncated = false;
  for (const piece of pieces) {
    const added = new Set(piece.nodes.map(({ id }) => id).filter((id) => !nodes.has(id)));
    if (nodes.size + added.size > maxNodes) {
      isTruncated = true;
      continue;
    }
    for (const node of piece.nodes) if (!nodes.has(node.id)) nodes.set(node.id, node);
    for (const edge of piece.edges) edges.set(JSON.stringify(edge), edge);
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()], isTruncated };
}

function fromHandoff(handoff: Handoff, names: GraphParts['names']): Piece {
  const [from, to] = [toAgent(handoff.from, names), toAgent(handoff.to, names)];
  const finding = toNode(`finding:${handoff.id}`, handoff.content, 'finding');
  return {
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
