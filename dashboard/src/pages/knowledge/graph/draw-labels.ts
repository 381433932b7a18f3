import type { Scene } from './scene.ts';

/** Only nodes that are at least as large on the screen say their name unasked. */
const LEAST_LABELLED_PX = 6;
const MOST_LABELS = 60;
const MOST_CHARS = 32;
const LINE_PX = 15;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Names of the selected one and those around it, then of the largest: no two on top of each other. */
export function drawLabels(
  pen: CanvasRenderingContext2D,
  scene: Scene,
  near: readonly number[] | undefined,
): void {
  const { graph, hovered, selected, viewport } = scene;
  const degreeOf = (at: number) => graph.nodes[at]?.degree ?? 0;
  const large = (near ?? scene.seen).filter(
    (at) => (graph.nodes[at]?.radius ?? 0) * viewport.scale >= LEAST_LABELLED_PX,
  );
  const first = [hovered, selected].filter((at) => at !== undefined);
  const rest = [...large].sort((a, b) => degreeOf(b) - degreeOf(a)).slice(0, MOST_LABELS);
  pen.font = `12px ${scene.inkOf('--font-sans')}`;
  pen.textAlign = 'center';
  pen.textBaseline = 'top';
  pen.lineJoin = 'round';
  const taken: Box[] = [];
  for (const at of new Set([...first, ...rest])) {
    const text = cut(graph.nodes[at]?.label ?? '');
    const places = placesOf(pen, scene, { at, text });
    const box = places.find((one) => !taken.some((other) => isOver(one, other)));
    if (box === undefined) continue;
    taken.push(box);
    // A rim of paper around each letter keeps it readable on lines.
    pen.strokeStyle = scene.inkOf('--surface');
    pen.lineWidth = 3;
    pen.strokeText(text, box.x, box.y);
    pen.fillStyle = scene.inkOf('--ink');
    pen.fillText(text, box.x, box.y);
  }
}

/** Below it, or above. */
function placesOf(
  pen: CanvasRenderingContext2D,
  { graph, positions, viewport }: Scene,
  { at, text }: { readonly at: number; readonly text: string },
): readonly Box[] {
  const radius = (graph.nodes[at]?.radius ?? 0) * viewport.scale;
  const x = viewport.x + viewport.scale * (positions[2 * at] as number);
  const y = viewport.y + viewport.scale * (positions[2 * at + 1] as number);
  const { width } = pen.measureText(text);
  return [
    { x, y: y + radius + 3, width },
    { x, y: y - radius - LINE_PX, width },
  ];
}

function isOver(a: Box, b: Box): boolean {
  return Math.abs(a.x - b.x) < (a.width + b.width) / 2 + 4 && Math.abs(a.y - b.y) < LINE_PX;
}

function cut(label: string): string {
  return label.length > MOST_CHARS ? `${label.slice(0, MOST_CHARS - 1)}…` : label;
}
