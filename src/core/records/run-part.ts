/**
 * A share of all runs, told by their ids. A check that meets more runs than it may remember goes on with half of them
 * and comes back for the other half: its memory has a bound, however many runs there are.
 */
export interface RunPart {
  readonly modulus: number;
  readonly residue: number;
}

export const ALL_RUNS: RunPart = { modulus: 1, residue: 0 };

export function isInPart({ modulus, residue }: RunPart, runId: string): boolean {
  return modulus === 1 || digest(runId) % modulus === residue;
}

/** The half to go on with, and the one to come back for. */
export function halve({ modulus, residue }: RunPart): readonly [RunPart, RunPart] {
  return [
    { modulus: modulus * 2, residue },
    { modulus: modulus * 2, residue: residue + modulus },
  ];
}

/** FNV-1a: spreads ids that differ only in their last characters. */
function digest(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) >>> 0;
}
