/** The latest outcomes, one bit each, in a ring. Immutable, and plain JSON so that it can be stored. */
export interface OutcomeWindow {
  readonly size: number;
  readonly count: number;
  readonly failed: number;
  readonly next: number;
  readonly bits: readonly number[];
}

const BITS = 32;

export function emptyWindow(size: number): OutcomeWindow {
  const bits = new Array<number>(Math.ceil(size / BITS)).fill(0);
  return { size, count: 0, failed: 0, next: 0, bits };
}

export function pushOutcome(window: OutcomeWindow, isFailure: boolean): OutcomeWindow {
  const { size, next } = window;
  const word = Math.floor(next / BITS);
  const mask = 1 << (next % BITS);
  const before = window.bits[word] ?? 0;
  const wasFailure = (before & mask) !== 0;
  const count = window.count < size ? window.count + 1 : size;
  const after = next + 1 === size ? 0 : next + 1;
  // The usual case, success after success, shares the bits instead of copying them.
  if (wasFailure === isFailure) {
    return { size, count, failed: window.failed, next: after, bits: window.bits };
  }
  const bits = window.bits.slice();
  bits[word] = isFailure ? before | mask : before & ~mask;
  return { size, count, failed: window.failed + (isFailure ? 1 : -1), next: after, bits };
}
