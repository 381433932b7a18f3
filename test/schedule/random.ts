/** Numbers that look random and are the same in every run of a test. */
export interface Random {
  /** A whole number from 0 to one less than `limit`. */
  below(limit: number): number;
  chance(share: number): boolean;
}

/** Mulberry32: small, and good enough to mix cases. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  return {
    below: (limit) => Math.floor(next() * limit),
    chance: (share) => next() < share,
  };
}
