import type { Clock } from '../../core/clock.ts';

/** Why a command stops waiting for its run. */
export type StopCause = 'interrupt' | 'timeout' | 'budget' | 'approval';

export interface Stop {
  /** Aborts once, with the first cause. */
  readonly signal: AbortSignal;
  readonly cause: StopCause | undefined;
  now(cause: StopCause): void;
  /** Takes its timer and listener away. */
  release(): void;
}

export interface StopOptions {
  readonly interrupt: AbortSignal;
  readonly clock: Clock;
  /** Undefined: as long as it takes. */
  readonly timeoutMs: number | undefined;
}

export function createStop({ interrupt, clock, timeoutMs }: StopOptions): Stop {
  const control = new AbortController();
  let cause: StopCause | undefined;

  function now(wanted: StopCause): void {
    cause ??= wanted;
    control.abort();
  }

  const onInterrupt = () => now('interrupt');
  if (interrupt.aborted) onInterrupt();
  interrupt.addEventListener('abort', onInterrupt, { once: true });
  const cancelTimer =
    timeoutMs === undefined ? () => {} : clock.after(timeoutMs, () => now('timeout'));

  return {
    signal: control.signal,
    get cause() {
      return cause;
    },
    now,
    release() {
      cancelTimer();
      interrupt.removeEventListener('abort', onInterrupt);
    },
  };
}
