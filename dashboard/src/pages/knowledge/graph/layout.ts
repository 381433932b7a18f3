import {
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from 'd3-force';

/** What a layout is made of, as it is sent to the worker. */
export interface LayoutGiven {
  readonly radii: Float32Array;
  /** Numbers of two nodes in turn. */
  readonly links: Uint32Array;
  /** Where they were, x and y in turn; NaN for those that are new. */
  readonly start: Float32Array;
}

/** How it is so far. */
export interface LayoutStep {
  readonly positions: Float32Array;
  readonly isSettled: boolean;
}

interface Layout {
  /** One step towards rest. */
  step(): void;
  positions(): Float32Array;
  readonly isSettled: boolean;
}

const LARGE = 2_000;
/** Each step costs as many nodes as there are: a large graph takes fewer, and rougher ones. */
const SMALL_PACE = { steps: 300, theta: 0.9, reach: 900 };
// Rougher than 1.2, what lies far away pulls in rings that mean nothing.
const LARGE_PACE = { steps: 60, theta: 1.2, reach: 500 };
const AT_REST = 0.001;
/** What was at rest before is only nudged by what is new. */
const NUDGE = 0.3;

export function createLayout({ radii, links, start }: LayoutGiven): Layout {
  const count = radii.length;
  const pace = count > LARGE ? LARGE_PACE : SMALL_PACE;
  const nodes: SimulationNodeDatum[] = Array.from({ length: count }, (_, at) => placed(start, at));
  const known = nodes.filter(({ x }) => x !== undefined).length;
  const simulation = forceSimulation(nodes)
    .alpha(known > count / 2 ? NUDGE : 1)
    .alphaMin(AT_REST)
    .alphaDecay(1 - AT_REST ** (1 / pace.steps))
    .force('apart', forceManyBody().strength(-90).theta(pace.theta).distanceMax(pace.reach))
    .force(
      'edges',
      forceLink(toLinks(links)).distance(
        ({ source, target }) => 34 + reach(source) + reach(target),
      ),
    )
    .force('x', forceX(0).strength(0.06))
    .force('y', forceY(0).strength(0.06))
    .stop();

  function reach(end: unknown): number {
    return radii[(end as SimulationNodeDatum).index ?? 0] ?? 0;
  }

  return {
    step: () => void simulation.tick(),
    get isSettled() {
      return simulation.alpha() < simulation.alphaMin();
    },
    positions: () => Float32Array.from(nodes.flatMap(({ x = 0, y = 0 }) => [x, y])),
  };
}

function placed(start: Float32Array, at: number): SimulationNodeDatum {
  const [x = Number.NaN, y = Number.NaN] = [start[2 * at], start[2 * at + 1]];
  return Number.isNaN(x) || Number.isNaN(y) ? {} : { x, y };
}

function toLinks(links: Uint32Array): { source: number; target: number }[] {
  return Array.from({ length: links.length / 2 }, (_, at) => ({
    source: links[2 * at] as number,
    target: links[2 * at + 1] as number,
  }));
}
