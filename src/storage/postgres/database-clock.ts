/** Clocks drift apart, and a machine that slept may not have counted: an older answer tells nothing. */
const MAX_AGE_MS = 10_000;

/** The database's clock as this process knows it without asking: never ahead of it, and behind by half a round trip. */
export interface DatabaseClock {
  /** An answer of this moment. */
  learn(nowMs: number): void;
  /** Undefined when it was not told lately. */
  nowMs(): number | undefined;
}

export function createDatabaseClock(elapsedMs: () => number): DatabaseClock {
  let told: { readonly nowMs: number; readonly atMs: number } | undefined;
  return {
    learn(nowMs) {
      told = { nowMs, atMs: elapsedMs() };
    },
    nowMs() {
      if (!told) return undefined;
      const ageMs = elapsedMs() - told.atMs;
      return ageMs <= MAX_AGE_MS ? Math.floor(told.nowMs + ageMs) : undefined;
    },
  };
}
