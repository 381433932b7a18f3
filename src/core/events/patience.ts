import type { Clock } from '../clock.ts';

export interface Patience {
  /** Somebody waits until then. */
  watch(deadlineMs: number): void;
  stop(): void;
}

/** One timer for all: with every event each deadline moves on, and a thousand timers would have to be set anew. */
export function createPatience<Waiting extends { readonly deadlineMs: number }>(
  clock: Pick<Clock, 'nowMs' | 'after'>,
  waiting: ReadonlySet<Waiting>,
  onOver: (waiting: Waiting) => void,
): Patience {
  let cancel: (() => void) | undefined;
  let firesAtMs = Number.POSITIVE_INFINITY;

  function watch(deadlineMs: number): void {
    if (deadlineMs >= firesAtMs) return;
    cancel?.();
    firesAtMs = deadlineMs;
    cancel = clock.after(Math.max(1, deadlineMs - clock.nowMs()), sweep);
  }

  function sweep(): void {
    firesAtMs = Number.POSITIVE_INFINITY;
    const nowMs = clock.nowMs();
    let next = Number.POSITIVE_INFINITY;
    for (const one of waiting) {
      if (one.deadlineMs <= nowMs) onOver(one);
      else next = Math.min(next, one.deadlineMs);
    }
    if (next !== Number.POSITIVE_INFINITY) watch(next);
  }

  return {
    watch,
    stop() {
      cancel?.();
      firesAtMs = Number.POSITIVE_INFINITY;
    },
  };
}
