export interface Silence {
  /** Aborts when nothing was heard for too long. */
  readonly signal: AbortSignal;
  /** Undefined: nothing came at all. */
  readonly heardAtMs: number | undefined;
  hear(): void;
  stop(): void;
}

interface Patience {
  readonly firstMs: number;
  readonly laterMs: number;
}

const LOOK_MS = 2_000;

/**
 * Ends a connection on which nothing comes. By the clock and not by a long timer: those stand still while a machine
 * sleeps, and what was open before is not any more when it wakes.
 */
export function watchSilence({ firstMs, laterMs }: Patience): Silence {
  const end = new AbortController();
  const beganAtMs = Date.now();
  let heardAtMs: number | undefined;
  const look = () => {
    const patienceMs = heardAtMs === undefined ? firstMs : laterMs;
    // A clock that was set back says as little as one that jumped ahead.
    if (Math.abs(Date.now() - (heardAtMs ?? beganAtMs)) > patienceMs) end.abort();
  };
  const timer = setInterval(look, LOOK_MS);
  document.addEventListener('visibilitychange', look);
  return {
    signal: end.signal,
    get heardAtMs() {
      return heardAtMs;
    },
    hear() {
      heardAtMs = Date.now();
    },
    stop() {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    },
  };
}
