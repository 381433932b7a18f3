/** Where half of the way from nothing to everything lies, and how steep it is there. */
const MIDDLE = 8;
const STEEPNESS = 0.5;

/** From a sum of weighted signals to 0 to 1. */
export function scaleScore(sum: number): number {
  return 1 / (1 + Math.exp(-STEEPNESS * (sum - MIDDLE)));
}
