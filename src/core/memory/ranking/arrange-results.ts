/** A candidate with its score, the conversation it belongs to, and whether it says exactly what was asked for. */
export interface ScoredCandidate {
  readonly score: number;
  /** Undefined: it stands alone. */
  readonly conversation: number | undefined;
  readonly isExact: boolean;
}

/** So many by score alone; then every conversation that is not among them gets a word in, then the rest. */
const FIRST = 10;

/** From candidates by falling score to the list that is given out. */
export function arrangeResults<Candidate extends ScoredCandidate>(
  sorted: readonly Candidate[],
  limit: number,
): readonly Candidate[] {
  return withExact(withEveryConversation(sorted).slice(0, limit), sorted, limit);
}

function withEveryConversation<Candidate extends ScoredCandidate>(
  sorted: readonly Candidate[],
): readonly Candidate[] {
  const first = sorted.slice(0, FIRST);
  const seen = new Set(first.map(({ conversation }) => conversation));
  const opening: Candidate[] = [];
  const rest: Candidate[] = [];
  for (const candidate of sorted.slice(FIRST)) {
    const { conversation } = candidate;
    if (conversation === undefined || !seen.has(conversation)) opening.push(candidate);
    else rest.push(candidate);
    seen.add(conversation);
  }
  return [...first, ...opening, ...rest];
}

/** Who has every word, or the very phrase, is never left out for somebody who only means the same. */
function withExact<Candidate extends ScoredCandidate>(
  chosen: readonly Candidate[],
  sorted: readonly Candidate[],
  limit: number,
): readonly Candidate[] {
  const exact = sorted.filter(({ isExact }) => isExact);
  const missing = exact.filter((candidate) => !chosen.includes(candidate));
  if (missing.length === 0 || exact.length > limit) return chosen;
  const room = limit - missing.length;
  const others = chosen.filter(({ isExact }) => !isExact);
  const dropped = new Set(others.slice(Math.max(0, others.length - (chosen.length - room))));
  return [...chosen.filter((candidate) => !dropped.has(candidate)), ...missing];
}
