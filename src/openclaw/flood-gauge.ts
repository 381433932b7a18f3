export interface FloodGauge {
  /** Why it is too much, when it is. */
  count(bytes: number): string | undefined;
}

/** A gateway that streams several answers at once stays far below both; a loop that prints does not. */
const MAX_FRAMES = 20_000;
const MAX_BYTES = 128 * 1024 * 1024;
const WINDOW_MS = 10_000;

/** Bounds what the other side makes us read. */
export function createFloodGauge(nowMs: () => number): FloodGauge {
  let startedAtMs = nowMs();
  let frames = 0;
  let total = 0;
  return {
    count(bytes) {
      if (nowMs() - startedAtMs > WINDOW_MS) {
        startedAtMs = nowMs();
        frames = 0;
        total = 0;
      }
      frames += 1;
      total += bytes;
      const seconds = WINDOW_MS / 1_000;
      if (frames > MAX_FRAMES)
        return `it sent more than ${MAX_FRAMES} frames in ${seconds} seconds`;
      if (total > MAX_BYTES) return `it sent more than ${MAX_BYTES} bytes in ${seconds} seconds`;
      return undefined;
    },
  };
}
