import { createLayout, type LayoutGiven, type LayoutStep } from './layout.ts';

/** Where a graph finds its shape, so that the page stays free to be used. One message in, several out, then nothing. */
const SHOWN_EVERY_MS = 80;
/** Taking in the places of many nodes is work for the page too. */
const SHOWN_EVERY_MS_OF_MANY = 500;
const MANY = 2_000;
/** A slow machine shows what there is by then. */
const MAX_MS = 20_000;

// The page's own types are for windows; of a worker these two things are needed.
const worker = self as unknown as {
  onmessage: (event: MessageEvent<LayoutGiven>) => void;
  postMessage(step: LayoutStep, transfer: readonly Transferable[]): void;
};

worker.onmessage = ({ data }) => {
  const layout = createLayout(data);
  const everyMs = data.radii.length > MANY ? SHOWN_EVERY_MS_OF_MANY : SHOWN_EVERY_MS;
  const endMs = performance.now() + MAX_MS;
  let shownMs = performance.now();
  while (!layout.isSettled && performance.now() < endMs) {
    layout.step();
    if (performance.now() - shownMs < everyMs) continue;
    show(layout.positions(), false);
    shownMs = performance.now();
  }
  show(layout.positions(), true);
};

function show(positions: Float32Array, isSettled: boolean): void {
  worker.postMessage({ positions, isSettled }, [positions.buffer]);
}
