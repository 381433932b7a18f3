import type { GraphShape } from '../../../../../src/operations/knowledge/knowledge-shapes.ts';

export type NodeKind = GraphShape['nodes'][number]['type'];

interface Kind {
  readonly one: string;
  readonly many: string;
  /** The variable of its colour. */
  readonly ink: string;
  /** Corners on a circle of radius 1; none is the circle. Colour alone would not tell kinds apart. */
  readonly corners: readonly (readonly [x: number, y: number])[];
}

export const KINDS: Readonly<Record<NodeKind, Kind>> = {
  agent: { one: 'agent', many: 'Agents', ink: '--accent', corners: polygon(6) },
  entity: { one: 'thing', many: 'Things', ink: '--muted', corners: [] },
  memory: { one: 'memory', many: 'Memories', ink: '--busy', corners: polygon(4, Math.PI / 4) },
  finding: { one: 'hand-off', many: 'Hand-offs', ink: '--wait', corners: polygon(4) },
  tag: { one: 'tag', many: 'Tags', ink: '--ok', corners: polygon(3) },
};

export const KIND_NAMES = Object.keys(KINDS) as readonly NodeKind[];

export function isKind(name: string): name is NodeKind {
  return Object.hasOwn(KINDS, name);
}

/** Its first corner is at the top. */
function polygon(count: number, turn = 0): readonly (readonly [number, number])[] {
  return Array.from({ length: count }, (_, at) => {
    const angle = turn - Math.PI / 2 + (at * 2 * Math.PI) / count;
    return [Math.cos(angle), Math.sin(angle)] as const;
  });
}
