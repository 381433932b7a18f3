import { drawLabels } from './draw-labels.ts';
import { KIND_NAMES, KINDS, type NodeKind } from './kinds.ts';
import type { Scene } from './scene.ts';
import { type Rect, seenRect } from './viewport.ts';

type Pen = CanvasRenderingContext2D;

/** Smaller than this nodes are dots: their shape can't be told anyway. */
const LEAST_SHAPED_PX = 2.5;
/** Lines at once while it moves; then each nth stands for all. */
const MOST_MOVING_EDGES = 2_000;
const DIMMED = 0.18;
const EDGE_ALPHA = 0.5;

export function drawGraph(pen: Pen, scene: Scene): void {
  const { size, selected } = scene;
  pen.clearRect(0, 0, size.width, size.height);
  drawEdges(pen, scene);
  const near = selected === undefined ? undefined : nearOf(scene, selected);
  pen.globalAlpha = near === undefined ? 1 : DIMMED;
  drawNodes(pen, scene, scene.seen);
  pen.globalAlpha = 1;
  if (selected !== undefined && near !== undefined) {
    drawNearEdges(pen, scene, selected);
    drawNodes(pen, scene, near);
    drawRing(pen, scene, selected);
  }
  drawLabels(pen, scene, near);
}

function nearOf({ graph }: Scene, at: number): readonly number[] {
  const near = new Set([at]);
  for (const number of graph.edgesOf[at] ?? []) {
    const edge = graph.edges[number];
    if (edge !== undefined) near.add(edge.from).add(edge.to);
  }
  return [...near];
}

function drawEdges(pen: Pen, scene: Scene): void {
  const { graph, viewport, size, isMoving, selected } = scene;
  const seen = seenRect(viewport, size);
  const stride = isMoving ? Math.ceil(graph.edges.length / MOST_MOVING_EDGES) : 1;
  pen.beginPath();
  for (let number = 0; number < graph.edges.length; number += stride) {
    addEdge(pen, scene, { number, seen });
  }
  pen.strokeStyle = scene.inkOf('--line-strong');
  pen.globalAlpha = selected === undefined ? EDGE_ALPHA : DIMMED;
  // Many lines are a grey cloud unless they are thin.
  pen.lineWidth = Math.min(1, Math.max(0.25, viewport.scale));
  pen.stroke();
  pen.globalAlpha = 1;
}

function drawNearEdges(pen: Pen, scene: Scene, at: number): void {
  const seen = seenRect(scene.viewport, scene.size);
  pen.beginPath();
  for (const number of scene.graph.edgesOf[at] ?? []) addEdge(pen, scene, { number, seen });
  pen.strokeStyle = scene.inkOf('--accent');
  pen.lineWidth = 1.5;
  pen.stroke();
}

function addEdge(
  pen: Pen,
  { graph, positions, viewport: { x, y, scale } }: Scene,
  { number, seen }: { readonly number: number; readonly seen: Rect },
): void {
  const edge = graph.edges[number];
  if (edge === undefined) return;
  const ax = positions[2 * edge.from] as number;
  const ay = positions[2 * edge.from + 1] as number;
  const bx = positions[2 * edge.to] as number;
  const by = positions[2 * edge.to + 1] as number;
  if (Math.max(ax, bx) < seen.left || Math.min(ax, bx) > seen.right) return;
  if (Math.max(ay, by) < seen.top || Math.min(ay, by) > seen.bottom) return;
  pen.moveTo(x + scale * ax, y + scale * ay);
  pen.lineTo(x + scale * bx, y + scale * by);
}

/** One path for each kind: as few changes of colour as there are colours. */
function drawNodes(pen: Pen, scene: Scene, numbers: readonly number[]): void {
  const { graph } = scene;
  const byKind = new Map<NodeKind, number[]>(KIND_NAMES.map((kind) => [kind, []]));
  for (const at of numbers) {
    const node = graph.nodes[at];
    if (node !== undefined) byKind.get(node.kind)?.push(at);
  }
  for (const [kind, ofKind] of byKind) {
    pen.fillStyle = scene.inkOf(KINDS[kind].ink);
    pen.beginPath();
    for (const at of ofKind) addNode(pen, scene, at);
    pen.fill();
    // A rim in the colour of the paper keeps neighbours apart.
    if (scene.viewport.scale < 0.4) continue;
    pen.strokeStyle = scene.inkOf('--surface');
    pen.lineWidth = 1;
    pen.stroke();
  }
}

function addNode(pen: Pen, { graph, positions, viewport }: Scene, at: number): void {
  const node = graph.nodes[at];
  if (node === undefined) return;
  const x = viewport.x + viewport.scale * (positions[2 * at] as number);
  const y = viewport.y + viewport.scale * (positions[2 * at + 1] as number);
  const radius = Math.max(1, node.radius * viewport.scale);
  const { corners } = KINDS[node.kind];
  if (radius < LEAST_SHAPED_PX) {
    // Thousands of dots are filled faster one by one than as one path.
    pen.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
  } else if (corners.length === 0) {
    pen.moveTo(x + radius, y);
    pen.arc(x, y, radius, 0, 2 * Math.PI);
  } else {
    corners.forEach(([dx, dy], corner) => {
      if (corner === 0) pen.moveTo(x + radius * dx, y + radius * dy);
      else pen.lineTo(x + radius * dx, y + radius * dy);
    });
    pen.closePath();
  }
}

function drawRing(pen: Pen, { graph, positions, viewport, inkOf }: Scene, at: number): void {
  const radius = Math.max(1, (graph.nodes[at]?.radius ?? 0) * viewport.scale) + 4;
  const x = viewport.x + viewport.scale * (positions[2 * at] as number);
  const y = viewport.y + viewport.scale * (positions[2 * at + 1] as number);
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.strokeStyle = inkOf('--ink');
  pen.lineWidth = 2;
  pen.stroke();
}
