import type { Clock } from '../core/clock.ts';

/** Aborts a request when its caller does, or when the other side has been silent for too long. */
export interface SilenceLimit {
  readonly signal: AbortSignal;
  readonly isTimedOut: boolean;
  /** Something arrived: the silence is counted from now. */
  touch(): void;
  /** Ends the request if it is still open, and lets go of the caller's signal and the timer. */
  close(): void;
}

export function createSilenceLimit(
  clock: Clock,
  timeoutMs: number,
  caller: AbortSignal,
): SilenceLimit {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let isTimedOut = false;
  let lastHeardMs = clock.nowMs();
  let cancelTimer = clock.after(timeoutMs, check);

  // The timer is not restarted at every piece: it looks at the time of the last one when it goes off.
  function check(): void {
    const restMs = lastHeardMs + timeoutMs - clock.nowMs();
    if (restMs > 0) {
      cancelTimer = clock.after(restMs, check);
      return;
    }
    isTimedOut = true;
    abort();
  }

  if (caller.aborted) abort();
  else caller.addEventListener('abort', abort, { once: true });

  return {
    signal: controller.signal,
    get isTimedOut() {
      return isTimedOut;
    },
    touch() {
      lastHeardMs = clock.nowMs();
    },
    close() {
      cancelTimer();
      caller.removeEventListener('abort', abort);
      abort();
    },
  };
}
