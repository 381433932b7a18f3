import type { GraphShape } from '../../../../../src/operations/knowledge/knowledge-shapes.ts';
import type { NodeKind } from './kinds.ts';

export interface PreparedNode {
  readonly id: string;
  readonly label: string;
  readonly kind: NodeKind;
  /** How many edges it has. */
  readonly degree: number;
  readonly radius: number;
}

export interface PreparedEdge {
  readonly from: number;
  readonly to: number;
  readonly relation: string;
}

/** A graph by numbers: what is drawn sixty times a second looks nothing up by name. */
export interface PreparedGraph {
  readonly nodes: readonly PreparedNode[];
  readonly edges: readonly PreparedEdge[];
  readonly indexOf: ReadonlyMap<string, number>;
  /** Numbers of the edges of each node. */
  readonly edgesOf: readonly (readonly number[])[];
}

const LEAST_RADIUS = 4;
const MOST_RADIUS = 16;

type Given = Pick<GraphShape, 'nodes' | 'edges'>;

/** Without the kinds that are hidden, and without edges that lead to them. */
export function prepareGraph(given: Given, hidden: ReadonlySet<NodeKind>): PreparedGraph {
  const shown = given.nodes.filter(({ type }) => !hidden.has(type));
  const indexOf = new Map(shown.map(({ id }, at) => [id, at]));
  const edges: PreparedEdge[] = [];
  const edgesOf: number[][] = shown.map(() => []);
  for (const { from, to, relation } of given.edges) {
    const edge = { from: indexOf.get(from) ?? -1, to: indexOf.get(to) ?? -1, relation };
    if (edge.from < 0 || edge.to < 0) continue;
    edgesOf[edge.from]?.push(edges.length);
    if (edge.to !== edge.from) edgesOf[edge.to]?.push(edges.length);
    edges.push(edge);
  }
  const nodes = shown.map(({ id, label, type: kind }, at) => {
    const degree = edgesOf[at]?.length ?? 0;
    return { id, label, kind, degree, radius: toRadius(degree) };
  });
  return { nodes, edges, indexOf, edgesOf };
}

/** By area: twice the edges look like twice as much. */
function toRadius(degree: number): number {
  return Math.min(MOST_RADIUS, LEAST_RADIUS + 1.6 * Math.sqrt(degree));
}

export interface Neighbour {
  readonly at: number;
  readonly relation: string;
  /** Whether the edge begins at the node that was asked about. */
  readonly isOutward: boolean;
}

/** In the order of their names. */
export function neighboursOf(graph: PreparedGraph, at: number): readonly Neighbour[] {
  const nameOf = (index: number) => graph.nodes[index]?.label ?? '';
  return (graph.edgesOf[at] ?? [])
    .flatMap((number) => {
      const edge = graph.edges[number];
      if (edge === undefined) return [];
      const isOutward = edge.from === at;
      return [{ at: isOutward ? edge.to : edge.from, relation: edge.relation, isOutward }];
    })
    .sort((a, b) => nameOf(a.at).localeCompare(nameOf(b.at)));
}

/** Those with such a name, the best connected first. */
export function findNodes(graph: PreparedGraph, text: string): readonly PreparedNode[] {
  const wanted = text.trim().toLowerCase();
  return graph.nodes
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .sort((a, b) => b.degree - a.degree || a.label.localeCompare(b.label));
}
