export interface RateLimiter {
  /** Counts one use of `key`. */
  take(key: string): RateVerdict | Promise<RateVerdict>;
}

export interface RateVerdict {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

/** Looked at with every use, so that members may change. */
export interface RateWindow {
  readonly max: number;
  readonly windowMs: number;
  /** Keys held at once; beyond it the oldest window is forgotten. */
  readonly maxKeys: number;
  readonly nowMs: () => number;
}

/** Fixed windows per key, in this process. */
export function createRateLimiter(options: RateWindow): RateLimiter {
  // Entries are inserted when their window starts, so the first one is always the oldest.
  const windows = new Map<string, { readonly startedAtMs: number; used: number }>();

  function open(key: string, nowMs: number) {
    windows.delete(key);
    if (windows.size >= options.maxKeys) {
      const oldest = windows.keys().next();
      if (!oldest.done) windows.delete(oldest.value);
    }
    const window = { startedAtMs: nowMs, used: 0 };
    windows.set(key, window);
    return window;
  }

  return {
    take(key) {
      const nowMs = options.nowMs();
      const known = windows.get(key);
      const ageMs = known === undefined ? -1 : nowMs - known.startedAtMs;
      // A negative age: the clock was set back, and the window would last until the old time returns.
      const isCurrent = known !== undefined && ageMs >= 0 && ageMs < options.windowMs;
      const window = isCurrent ? known : open(key, nowMs);
      window.used += 1;
      const leftMs = window.startedAtMs + options.windowMs - nowMs;
      return {
        isAllowed: window.used <= options.max,
        limit: options.max,
        remaining: Math.max(0, options.max - window.used),
        resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
      };
    },
  };
}
