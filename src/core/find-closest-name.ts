/**
 * What somebody probably meant by an unknown name: the same words in other spelling, or at most two typing errors, of
 * which two letters in the wrong order are one.
 */
export function findClosestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const wanted = plain(name);
  let best: { readonly name: string; readonly rank: number } | undefined;
  for (const candidate of known) {
    const spelled = plain(candidate);
    const distance = countErrors(wanted, spelled);
    // Short names are close to everything: two errors in `api` are not a typing error.
    if (distance > MAX_ERRORS || distance * 2 >= candidate.length) continue;
    // Among equals the one that begins alike: the first letter is hardly ever the wrong one.
    const rank = distance * 2 + (wanted[0] === spelled[0] ? 0 : 1);
    if (best === undefined || rank < best.rank) best = { name: candidate, rank };
  }
  return best?.name;
}

const MAX_LENGTH = 64;
const MAX_ERRORS = 2;

function plain(name: string): string {
  return name.replace(/[-_\s]/g, '').toLowerCase();
}

/** Letters that are missing, too many, wrong, or swapped with their neighbour (Damerau and Levenshtein). */
function countErrors(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const substituted = (last[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const inserted = (current[column - 1] ?? 0) + 1;
      const deleted = (last[column] ?? 0) + 1;
      const isSwapped =
        row > 1 &&
        column > 1 &&
        from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1];
      const swapped = isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(substituted, inserted, deleted, swapped));
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
