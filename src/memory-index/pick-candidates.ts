import type { View } from './view.ts';

/** So many are judged in full. Measured on conversations: more finds nothing more. */
const MAX_CANDIDATES = 750;
/** Whoever stands beside one of the best is judged too. */
const WITH_NEIGHBOURS = 100;
const MAX_PINNED = 50;

/** What a first look weighs: words, the conversation's words, meaning. */
const ROUGH = { covered: 6, conversation: 2.5, meaning: 6 } as const;

/** The slots worth a closer look: all when there are few, else the best at first sight and those beside them. */
export function pickCandidates(view: View, exact: ReadonlySet<number>): Iterable<number> {
  const { slots } = view.sight;
  if (slots.length <= MAX_CANDIDATES) return slots;
  const rough = scoreRoughly(view);
  const least = findThreshold(rough, MAX_CANDIDATES);
  const picked = new Set<number>(exact);
  const best: number[] = [];
  for (let index = 0; index < slots.length; index += 1) {
    if ((rough[index] as number) < least || picked.size >= 2 * MAX_CANDIDATES) continue;
    picked.add(slots[index] as number);
    best.push(index);
  }
  best.sort((a, b) => (rough[b] as number) - (rough[a] as number));
  for (const index of best.slice(0, WITH_NEIGHBOURS))
    addNeighbours(view, slots[index] as number, picked);
  addPinned(view, picked);
  return picked;
}

function scoreRoughly({ sight, terms, meaning, holdings }: View): Float32Array {
  const { slots } = sight;
  const rough = holdings.scratch.floats('rough', slots.length, 0);
  const perWeight = ROUGH.covered / (terms.totalWeight || 1);
  const perConversation = ROUGH.conversation / (terms.bestConversation || 1);
  const talks = holdings.columns.conversation;
  for (let index = 0; index < slots.length; index += 1) {
    const slot = slots[index] as number;
    const talk = talks[slot] as number;
    let score = (terms.covered[slot] as number) * perWeight;
    if (talk >= 0) score += (terms.conversation[talk] as number) * perConversation;
    if (meaning) score += (meaning.best[slot] as number) * ROUGH.meaning;
    rough[index] = score;
  }
  return rough;
}

/** The score that so many reach, by a histogram: near enough, and one pass over the scores. */
function findThreshold(scores: Float32Array, wanted: number): number {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < scores.length; index += 1) {
    const score = scores[index] as number;
    if (score < least) least = score;
    if (score > most) most = score;
  }
  const BINS = 4_096;
  const width = (most - least) / BINS;
  if (!(width > 0)) return least;
  const counts = new Int32Array(BINS + 1);
  for (let index = 0; index < scores.length; index += 1) {
    const bin = Math.floor(((scores[index] as number) - least) / width);
    counts[bin] = (counts[bin] as number) + 1;
  }
  let bin = BINS;
  for (let count = counts[bin] as number; bin > 0 && count < wanted; count += counts[bin] as number)
    bin -= 1;
  return least + bin * width;
}

function addNeighbours(view: View, slot: number, picked: Set<number>): void {
  for (const neighbour of view.around(slot)) if (neighbour >= 0) picked.add(neighbour);
}

function addPinned({ sight, terms }: View, picked: Set<number>): void {
  const { covered } = terms;
  const pinned = sight.pinned.toSorted((a, b) => (covered[b] ?? 0) - (covered[a] ?? 0));
  for (const slot of pinned.slice(0, MAX_PINNED)) picked.add(slot);
}
