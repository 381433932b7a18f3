export interface FloodGauge {
  /** Throws when there were too many of them of late. */
  count(kind: 'noise' | 'unasked'): void;
}

/** Progress and log notifications stay far below this; a loop that prints does not. */
const MAX_UNASKED = 20_000;
/** Programs print banners where messages belong; beyond this, it is not a server. */
const MAX_NOISE = 1_000;
const WINDOW_MS = 10_000;

/** Bounds what a server makes us read that nobody asked it for. */
export function createFloodGauge(nowMs: () => number): FloodGauge {
  let startedAtMs = nowMs();
  let counts = { noise: 0, unasked: 0 };
  return {
    count(kind) {
      if (nowMs() - startedAtMs > WINDOW_MS) {
        startedAtMs = nowMs();
        counts = { noise: 0, unasked: 0 };
      }
      counts[kind] += 1;
      if (counts.noise > MAX_NOISE) throw new Error('it prints what is not a JSON-RPC message');
      if (counts.unasked > MAX_UNASKED) throw new Error('it floods us with notifications');
    },
  };
}
