/** The same numbers for the same seed, on every machine. */
export interface SeededRandom {
  /** From 0 up to and without this. */
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
  isTrue(chance: number): boolean;
}

export function createSeededRandom(seed: number): SeededRandom {
  let state = (seed + 0x9e3779b9) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (limit) => Math.floor(next() * limit),
    pick: (items) => items[Math.floor(next() * items.length)] as (typeof items)[number],
    isTrue: (chance) => next() < chance,
  };
}
