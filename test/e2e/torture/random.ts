/** Choices that a seed decides: what the timing of processes leaves over repeats with it. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number, both ends included. */
  between(min: number, max: number): number;
  chance(probability: number): boolean;
  shuffle<T>(items: readonly T[]): T[];
}

const UINT32 = 2 ** 32;

/** Mulberry32: 32 bits of state are plenty for choosing where to kill. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / UINT32;
  }

  function between(min: number, max: number): number {
    return min + Math.floor(next() * (max - min + 1));
  }

  return {
    next,
    between,
    chance: (probability) => next() < probability,
    shuffle(items) {
      const keyed = items.map((item) => ({ item, key: next() }));
      return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
    },
  };
}
