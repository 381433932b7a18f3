import type { View } from './view.ts';

/** So many are judged in full. More finds nothing more; 400 lose one in twelve of the first ten among 100,000. */
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
  const threshold = findThreshold(rough, MAX_CANDIDATES);
  const { scores } = rough;
  const picked = new Set<number>(exact);
  const best: number[] = [];
  for (let index = 0; index < slots.length; index += 1) {
    if ((scores[index] as number) < threshold || picked.size >= 2 * MAX_CANDIDATES) continue;
    picked.add(slots[index] as number);
    best.push(index);
  }
  best.sort((a, b) => (scores[b] as number) - (scores[a] as number));
  for (const index of best.slice(0, WITH_NEIGHBOURS))
    addNeighbours(view, slots[index] as number, picked);
  addPinned(view, picked);
  return picked;
}

/** Scores in the order of the seen slots, and between what they lie. */
interface RoughScores {
  readonly scores: Float32Array;
  readonly least: number;
  readonly most: number;
}

function scoreRoughly({ sight, terms, meaning, holdings }: View): RoughScores {
  const { slots } = sight;
  const { covered, conversation } = terms;
  const scores = holdings.scratch.floats('rough', slots.length, 0);
  const talks = holdings.columns.conversation;
  const nearness = meaning?.best ?? covered;
  const perWeight = ROUGH.covered / (terms.totalWeight || 1);
  const perConversation = ROUGH.conversation / (terms.bestConversation || 1);
  const perNearness = meaning ? ROUGH.meaning : 0;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < slots.length; index += 1) {
    const slot = slots[index] as number;
    const talk = talks[slot] as number;
    const ofTalk = talk < 0 ? 0 : (conversation[talk] as number) * perConversation;
    const near = (nearness[slot] as number) * perNearness;
    // As it is kept: a rounded score must not lie outside.
    const score = Math.fround((covered[slot] as number) * perWeight + ofTalk + near);
    scores[index] = score;
    if (score < least) least = score;
    if (score > most) most = score;
  }
  return { scores, least, most };
}

/** The score that so many reach, by a histogram: near enough, and one pass over the scores. */
function findThreshold({ scores, least, most }: RoughScores, wanted: number): number {
  const BINS = 4_096;
  const width = (most - least) / BINS;
  if (!(width > 0)) return least;
  const perWidth = 1 / width;
  const counts = new Int32Array(BINS + 1);
  for (let index = 0; index < scores.length; index += 1) {
    const bin = (((scores[index] as number) - least) * perWidth) | 0;
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
