import type { Clock } from '../clock.ts';

/** Time that passes only where the record says so: nothing waits, and no timer ever rings. */
export interface RecordedClock extends Clock {
  pass(ms: number): void;
}

export function createRecordedClock(startMs: number): RecordedClock {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    sleep: async () => {},
    after: () => () => {},
    pass(ms) {
      nowMs += ms;
    },
  };
}
