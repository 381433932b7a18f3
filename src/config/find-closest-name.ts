/** What somebody probably meant by an unknown name: the same words in other spelling, or at most two typing errors. */
export function findClosestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const wanted = plain(name);
  let best: string | undefined;
  let bestDistance = MAX_DISTANCE + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, plain(candidate));
    // Short names are close to everything: two errors in `api` are not a typing error.
    if (distance < bestDistance && distance * 2 < candidate.length) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

const MAX_LENGTH = 64;
const MAX_DISTANCE = 2;

function plain(name: string): string {
  return name.replace(/[-_\s]/g, '').toLowerCase();
}

function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const substituted = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const inserted = (current[column - 1] ?? 0) + 1;
      const deleted = (previous[column] ?? 0) + 1;
      current.push(Math.min(substituted, inserted, deleted));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
