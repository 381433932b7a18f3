import { type Quadtree, type QuadtreeInternalNode, type QuadtreeLeaf, quadtree } from 'd3-quadtree';
import type { Point, Rect } from './viewport.ts';

/** Finds nodes by place without looking at all of them. */
export interface NodeIndex {
  /** The number of the node that is nearest by its rim, at most `slack` away; undefined for none. */
  findAt(place: Point, slack: number): number | undefined;
  /** Numbers of those whose middle is inside. */
  findInside(rect: Rect): readonly number[];
}

type Branch = QuadtreeInternalNode<number> | QuadtreeLeaf<number>;

export function createNodeIndex(positions: Float32Array, radii: readonly number[]): NodeIndex {
  const xOf = (at: number) => positions[2 * at] as number;
  const yOf = (at: number) => positions[2 * at + 1] as number;
  const tree = quadtree<number>()
    .x(xOf)
    .y(yOf)
    .addAll(Array.from({ length: Math.min(radii.length, positions.length / 2) }, (_, at) => at));
  const largest = radii.reduce((most, radius) => Math.max(most, radius), 0);

  const findInside = (rect: Rect) => {
    const found: number[] = [];
    visitInside(tree, rect, (at) => found.push(at));
    return found;
  };

  return {
    findInside,

    findAt({ x, y }, slack) {
      const reach = largest + slack;
      const near = { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach };
      let best: number | undefined;
      let least = slack;
      for (const at of findInside(near)) {
        const rim = Math.hypot(xOf(at) - x, yOf(at) - y) - (radii[at] ?? 0);
        if (rim > least) continue;
        best = at;
        least = rim;
      }
      return best;
    },
  };
}

function visitInside(
  tree: Quadtree<number>,
  { left, top, right, bottom }: Rect,
  take: (at: number) => void,
): void {
  const [xOf, yOf] = [tree.x(), tree.y()];
  tree.visit((branch: Branch, ...box) => {
    const [x0, y0, x1, y1] = box;
    if (branch.length === undefined) {
      for (let leaf: QuadtreeLeaf<number> | undefined = branch; leaf; leaf = leaf.next) {
        const [x, y] = [xOf(leaf.data), yOf(leaf.data)];
        if (x >= left && x <= right && y >= top && y <= bottom) take(leaf.data);
      }
    }
    return x0 > right || x1 < left || y0 > bottom || y1 < top;
  });
}
