/** Where the eye is: a place of the graph is at `x + scale * place` on the screen. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const LEAST_SCALE = 0.01;
const MOST_SCALE = 8;
/** A graph of three nodes is not shown as three huge ones. */
const MOST_FITTED_SCALE = 2;

export function toScreen({ x, y, scale }: Viewport, place: Point): Point {
  return { x: x + scale * place.x, y: y + scale * place.y };
}

export function toWorld({ x, y, scale }: Viewport, point: Point): Point {
  return { x: (point.x - x) / scale, y: (point.y - y) / scale };
}

export function panBy(viewport: Viewport, dx: number, dy: number): Viewport {
  return { ...viewport, x: viewport.x + dx, y: viewport.y + dy };
}

/** What is under the point stays there. */
export function zoomAt(viewport: Viewport, point: Point, factor: number): Viewport {
  const scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, viewport.scale * factor));
  const place = toWorld(viewport, point);
  return { x: point.x - scale * place.x, y: point.y - scale * place.y, scale };
}

/** All of it, in the middle, with a margin in pixels. */
export function fitRect(rect: Rect, size: Size, margin: number): Viewport {
  const width = Math.max(1, rect.right - rect.left);
  const height = Math.max(1, rect.bottom - rect.top);
  const room = (whole: number) => Math.max(1, whole - 2 * margin);
  const fitted = Math.min(room(size.width) / width, room(size.height) / height);
  const scale = Math.min(MOST_FITTED_SCALE, Math.max(LEAST_SCALE, fitted));
  const middle = { x: (rect.left + rect.right) / 2, y: (rect.top + rect.bottom) / 2 };
  return centreOn({ x: 0, y: 0, scale }, middle, size);
}

export function centreOn({ scale }: Viewport, place: Point, size: Size): Viewport {
  return { x: size.width / 2 - scale * place.x, y: size.height / 2 - scale * place.y, scale };
}

/** What part of the graph is on the screen. */
export function seenRect(viewport: Viewport, { width, height }: Size): Rect {
  const from = toWorld(viewport, { x: 0, y: 0 });
  const to = toWorld(viewport, { x: width, y: height });
  return { left: from.x, top: from.y, right: to.x, bottom: to.y };
}

/** Of places as x and y in turn; a point in the middle for none. */
export function boundsOf(positions: Float32Array): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at + 1 < positions.length; at += 2) {
    const [x, y] = [positions[at] as number, positions[at + 1] as number];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return left > right ? { left: 0, top: 0, right: 0, bottom: 0 } : { left, top, right, bottom };
}
