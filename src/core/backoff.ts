/** How long to wait before the next attempt. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
  /**
   * How much of a wait is left to chance, so that those who failed together do not come back together: 1 waits anything
   * up to all of it, a half between half of it and all. Unless given, nothing.
   */
  readonly jitter?: number;
}

/** Beyond this a wait is at its most, whatever it began with; and no power becomes infinite. */
const MAX_DOUBLINGS = 50;

/** In whole milliseconds; doubles with each failure in a row, of which there was at least one. `random` is in [0, 1). */
export function backoffMs(
  { firstMs, maxMs, jitter = 0 }: Backoff,
  failures: number,
  random: () => number = Math.random,
): number {
  const doublings = Math.min(MAX_DOUBLINGS, Math.max(0, failures - 1));
  const mostMs = Math.round(Math.min(maxMs, firstMs * 2 ** doublings));
  if (jitter === 0) return mostMs;
  const leastMs = Math.round(mostMs * (1 - jitter));
  return leastMs + Math.floor(random() * (mostMs - leastMs + 1));
}
