import type { GraphView } from './graph-view.ts';
import type { Point } from './viewport.ts';

interface Gestures {
  readonly onPress: (at: number | undefined) => void;
}

/** Less is a press by a hand that is not quite still. */
const DRAG_PX = 4;
const WHEEL_STEP = 0.0015;
const DOUBLE_PRESS_FACTOR = 1.8;

/** Drag, wheel, pinch, point and press. */
export function listenToGestures(
  canvas: HTMLCanvasElement,
  view: GraphView,
  { onPress }: Gestures,
): () => void {
  const end = new AbortController();
  const fingers = new Map<number, Point>();
  let isDragging = false;
  let pressedAt: Point = { x: 0, y: 0 };

  const on = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    hear: (event: HTMLElementEventMap[Name]) => void,
  ) => canvas.addEventListener(name, hear, { signal: end.signal, passive: false });
  const pointOf = (event: MouseEvent): Point => {
    const { left, top } = canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };

  on('pointerdown', (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, pointOf(event));
    if (fingers.size === 1) [isDragging, pressedAt] = [false, pointOf(event)];
    else isDragging = true;
  });
  on('pointermove', (event) => {
    const before = fingers.get(event.pointerId);
    const point = pointOf(event);
    if (before === undefined) {
      const at = view.findAt(point);
      canvas.style.cursor = at === undefined ? 'grab' : 'pointer';
      view.hover(at);
      return;
    }
    if (!isDragging && distance(point, pressedAt) < DRAG_PX) return;
    isDragging = true;
    const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, one]) => one);
    if (other === undefined) view.panBy(point.x - before.x, point.y - before.y);
    else pinch(view, { before, point, other });
    fingers.set(event.pointerId, point);
  });
  const lift = (event: PointerEvent) => {
    const wasDown = fingers.delete(event.pointerId);
    if (wasDown && !isDragging && event.type === 'pointerup') onPress(view.findAt(pointOf(event)));
  };
  on('pointerup', lift);
  on('pointercancel', lift);
  on('pointerleave', () => view.hover(undefined));
  on('wheel', (event) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    view.zoom(Math.exp(-event.deltaY * lines * WHEEL_STEP), pointOf(event));
  });
  on('dblclick', (event) => view.zoom(DOUBLE_PRESS_FACTOR, pointOf(event)));
  return () => end.abort();
}

interface Pinch {
  readonly before: Point;
  readonly point: Point;
  /** The finger that did not move. */
  readonly other: Point;
}

function pinch(view: GraphView, { before, point, other }: Pinch): void {
  const apart = Math.max(1, distance(before, other));
  const middle = { x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 };
  view.panBy((point.x - before.x) / 2, (point.y - before.y) / 2);
  view.zoom(distance(point, other) / apart, middle);
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
