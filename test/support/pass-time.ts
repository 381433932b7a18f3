import type { ManualClock } from './manual-clock.ts';

/** Lets everything run that does not wait for time. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Moves time in steps, so that what wakes in one step can set its timers for the next. */
export async function passTime(clock: ManualClock, ms: number, stepMs = ms): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
    await settled();
    clock.advance(Math.min(stepMs, ms - passedMs));
  }
  await settled();
}

/** A promise and its ends, for handlers that end when the test says so. */
export function createGate<T>() {
  let open: (value: T) => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open, fail };
}
