import { drawGraph } from './draw-graph.ts';
import { drawLabels } from './draw-labels.ts';
import { createNodeIndex, type NodeIndex } from './node-index.ts';
import type { PreparedGraph } from './prepare-graph.ts';
import type { Scene } from './scene.ts';
import { drawSnapshot, type Snapshot, takeSnapshot } from './snapshot.ts';
import {
  boundsOf,
  centreOn,
  fitRect,
  type Point,
  panBy,
  type Rect,
  type Size,
  seenRect,
  toWorld,
  type Viewport,
  zoomAt,
} from './viewport.ts';

const MARGIN_PX = 40;
/** A finger is no needle. */
const SLACK_PX = 8;
const STILL_MS = 150;
/** Nodes whose middle is just outside are seen by their rim. */
const RIM = 20;
/** More nodes than these take longer to draw than a frame lasts. */
const LARGE = 3_000;
const NO_GRAPH: PreparedGraph = { nodes: [], edges: [], indexOf: new Map(), edgesOf: [] };

const NO_INDEX = createNodeIndex(new Float32Array(), []);

/** A graph on a canvas, until it is closed. Nothing in here is React's: a frame must not wait for a page. */
export class GraphView {
  readonly #canvas: HTMLCanvasElement;
  readonly #stopWatching: () => void;
  #graph = NO_GRAPH;
  #positions: Float32Array = new Float32Array();
  /** Made when somebody points, or looks at a part. */
  #index: NodeIndex | undefined;
  #viewport: Viewport = { x: 0, y: 0, scale: 1 };
  #size: Size = { width: 0, height: 0 };
  #selected: number | undefined;
  #hovered: number | undefined;
  /** All of it is in view, and stays so until somebody looks closer. */
  #isFitted = true;
  #movedAtMs = 0;
  #snapshot: Snapshot | undefined;
  /** More changed than what is pointed at. */
  #isOutdated = true;
  #frame: number | undefined;
  #stillness: ReturnType<typeof setTimeout> | undefined;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#stopWatching = watch(canvas, {
      resize: () => this.#resize(),
      redraw: () => this.#redraw(),
    });
  }

  show(graph: PreparedGraph): void {
    this.#graph = graph;
    this.#index = undefined;
    this.#selected = undefined;
    this.#hovered = undefined;
  }

  place(positions: Float32Array): void {
    // Of a graph that is no longer shown.
    if (positions.length !== 2 * this.#graph.nodes.length) return;
    this.#positions = positions;
    this.#index = undefined;
    this.#snapshot = undefined;
    if (this.#isFitted) this.fit();
    else this.#move(this.#viewport);
  }

  select(at: number | undefined): void {
    this.#selected = at;
    this.#redraw();
  }

  hover(at: number | undefined): void {
    if (at === this.#hovered) return;
    this.#hovered = at;
    if (this.#snapshot === undefined) this.#redraw();
    else this.#schedule();
  }

  findAt(point: Point): number | undefined {
    const { scale } = this.#viewport;
    return this.#indexed().findAt(toWorld(this.#viewport, point), SLACK_PX / scale);
  }

  /** Into the middle, when it is not in view. */
  bring(at: number): void {
    const place = { x: this.#positions[2 * at] ?? 0, y: this.#positions[2 * at + 1] ?? 0 };
    const { left, top, right, bottom } = seenRect(this.#viewport, this.#size);
    const isSeen = place.x > left && place.x < right && place.y > top && place.y < bottom;
    if (!isSeen) this.#look(centreOn(this.#viewport, place, this.#size));
  }

  panBy(dx: number, dy: number): void {
    this.#look(panBy(this.#viewport, dx, dy));
  }

  /** Around a point; without one around the middle. */
  zoom(factor: number, point?: Point): void {
    const middle = { x: this.#size.width / 2, y: this.#size.height / 2 };
    this.#look(zoomAt(this.#viewport, point ?? middle, factor));
  }

  fit(): void {
    this.#isFitted = true;
    this.#move(fitRect(boundsOf(this.#positions), this.#size, MARGIN_PX));
  }

  close(): void {
    this.#stopWatching();
    clearTimeout(this.#stillness);
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
  }

  #seen(): readonly number[] {
    if (this.#isFitted) return this.#graph.nodes.map((_, at) => at);
    return this.#indexed().findInside(widen(seenRect(this.#viewport, this.#size)));
  }

  #indexed(): NodeIndex {
    if (this.#positions.length !== 2 * this.#graph.nodes.length) return NO_INDEX;
    this.#index ??= createNodeIndex(
      this.#positions,
      this.#graph.nodes.map(({ radius }) => radius),
    );
    return this.#index;
  }

  #look(next: Viewport): void {
    this.#isFitted = false;
    this.#move(next);
  }

  #move(next: Viewport): void {
    this.#viewport = next;
    this.#movedAtMs = performance.now();
    this.#redraw();
    // Once more in full when it stands still.
    clearTimeout(this.#stillness);
    this.#stillness = setTimeout(() => this.#redraw(), STILL_MS + 10);
  }

  #resize(): void {
    const canvas = this.#canvas;
    this.#size = { width: canvas.clientWidth, height: canvas.clientHeight };
    canvas.width = Math.round(this.#size.width * devicePixelRatio);
    canvas.height = Math.round(this.#size.height * devicePixelRatio);
    this.#snapshot = undefined;
    if (this.#isFitted) this.fit();
    else this.#redraw();
  }

  #redraw(): void {
    this.#isOutdated = true;
    this.#schedule();
  }

  #schedule(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      const pen = this.#canvas.getContext('2d');
      // Positions of this graph come with the first step of its layout.
      if (pen === null || this.#positions.length !== 2 * this.#graph.nodes.length) return;
      this.#draw(pen);
    });
  }

  #draw(pen: CanvasRenderingContext2D): void {
    const scene = this.#toScene();
    const isLarge = this.#graph.nodes.length > LARGE;
    if (this.#snapshot !== undefined && (scene.isMoving || !this.#isOutdated)) {
      drawSnapshot(pen, this.#snapshot, this.#viewport);
    } else {
      pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
      const seen = this.#seen();
      drawGraph(pen, isLarge ? { ...scene, seen, hovered: undefined } : { ...scene, seen });
      this.#snapshot = isLarge ? takeSnapshot(this.#canvas, this.#viewport) : undefined;
      this.#isOutdated = false;
    }
    pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    // Pointing at things must not cost a whole picture each.
    if (isLarge) drawLabels(pen, { ...scene, selected: undefined }, []);
  }

  /** With nothing in view yet. */
  #toScene(): Scene {
    const style = getComputedStyle(document.documentElement);
    return {
      graph: this.#graph,
      positions: this.#positions,
      viewport: this.#viewport,
      size: this.#size,
      selected: this.#selected,
      hovered: this.#hovered,
      seen: [],
      isMoving: performance.now() - this.#movedAtMs < STILL_MS,
      inkOf: (variable) => style.getPropertyValue(variable),
    };
  }
}

/** Its size, and the theme: a canvas knows no variables. */
function watch(
  canvas: HTMLCanvasElement,
  { resize, redraw }: { readonly resize: () => void; readonly redraw: () => void },
): () => void {
  const resized = new ResizeObserver(resize);
  resized.observe(canvas);
  const themed = new MutationObserver(redraw);
  themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    resized.disconnect();
    themed.disconnect();
  };
}

function widen({ left, top, right, bottom }: Rect): Rect {
  return { left: left - RIM, top: top - RIM, right: right + RIM, bottom: bottom + RIM };
}
