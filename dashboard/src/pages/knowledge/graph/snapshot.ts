import type { Viewport } from './viewport.ts';

/** A picture of a large graph, which is moved about while the next one would take too long. */
export interface Snapshot {
  readonly picture: HTMLCanvasElement;
  readonly viewport: Viewport;
}

export function takeSnapshot(canvas: HTMLCanvasElement, viewport: Viewport): Snapshot {
  const picture = document.createElement('canvas');
  picture.width = canvas.width;
  picture.height = canvas.height;
  picture.getContext('2d')?.drawImage(canvas, 0, 0);
  return { picture, viewport };
}

/** As the same graph would be seen from elsewhere; what was not in the picture is blank. */
export function drawSnapshot(
  pen: CanvasRenderingContext2D,
  { picture, viewport: taken }: Snapshot,
  { x, y, scale }: Viewport,
): void {
  const zoom = scale / taken.scale;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, picture.width, picture.height);
  pen.drawImage(
    picture,
    (x - zoom * taken.x) * devicePixelRatio,
    (y - zoom * taken.y) * devicePixelRatio,
    picture.width * zoom,
    picture.height * zoom,
  );
}
