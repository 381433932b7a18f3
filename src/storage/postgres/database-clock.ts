/** Clocks drift apart: an older answer tells nothing. */
const MAX_AGE_MS = 10_000;
/** A machine that slept has not counted, but its wall clock has moved on: a lease given by it would be over at once. */
const MAX_SLEEP_MS = 1_000;

/** The database's clock as this process knows it without asking: never ahead of it, and behind by half a round trip. */
export interface DatabaseClock {
  /** An answer of this moment. */
  learn(nowMs: number): void;
  /** Undefined when it was not told lately. */
  nowMs(): number | undefined;
}

/** Of this machine. */
export interface MachineClock {
  /** Goes up evenly while the machine is awake. */
  readonly elapsedMs: () => number;
  readonly wallMs: () => number;
}

export function createDatabaseClock({ elapsedMs, wallMs }: MachineClock): DatabaseClock {
  let told: { readonly nowMs: number; readonly atMs: number; readonly wallMs: number } | undefined;
  return {
    learn(nowMs) {
      told = { nowMs, atMs: elapsedMs(), wallMs: wallMs() };
    },
    nowMs() {
      if (!told) return undefined;
      const ageMs = elapsedMs() - told.atMs;
      const sleptMs = Math.abs(wallMs() - told.wallMs - ageMs);
      return ageMs <= MAX_AGE_MS && sleptMs <= MAX_SLEEP_MS
        ? Math.floor(told.nowMs + ageMs)
        : undefined;
    },
  };
}
