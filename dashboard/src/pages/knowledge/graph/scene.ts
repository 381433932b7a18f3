import type { PreparedGraph } from './prepare-graph.ts';
import type { Size, Viewport } from './viewport.ts';

/** All that one picture is made of. */
export interface Scene {
  readonly graph: PreparedGraph;
  readonly positions: Float32Array;
  readonly viewport: Viewport;
  readonly size: Size;
  /** Numbers of the nodes that are in view. */
  readonly seen: readonly number[];
  readonly selected: number | undefined;
  readonly hovered: number | undefined;
  /** Something is being dragged or is still finding its place: what is fine may wait. */
  readonly isMoving: boolean;
  readonly inkOf: (variable: string) => string;
}
