import type { Question } from '../core/memory/ranking/read-question.ts';
import type { Holdings } from './holdings.ts';
import type { FoundSlots } from './postings.ts';
import type { Sight } from './see-slots.ts';

/** What the words of a question find among what is seen. Arrays are by slot, or by conversation where it says so. */
export interface TermMatch {
  /** A bit for each term of the question that the slot holds. */
  readonly masks: Int32Array;
  /** Sum of the weights of the terms that the slot holds. */
  readonly covered: Float32Array;
  readonly conversation: Float32Array;
  readonly bestConversation: number;
  /** How telling each term is, and all of them together. */
  readonly weights: readonly number[];
  readonly totalWeight: number;
  /** How many seen slots hold each term. */
  readonly frequencies: readonly number[];
  /** Terms by their numbers; undefined for what is nowhere. */
  readonly numbers: readonly (number | undefined)[];
}

const TURN = { k: 0.9, b: 0.4 };
const CONVERSATION = { k: 1.2, b: 0.4 };
/** Of a long text the beginning is counted. */
const MAX_COUNTED_TERMS = 512;

const found: FoundSlots = { slots: new Int32Array(4_096), counts: new Uint8Array(4_096) };

export function matchTerms(holdings: Holdings, question: Question, sight: Sight): TermMatch {
  const { slotCount, conversations, vocabulary, postings, scratch } = holdings;
  const masks = scratch.wholes('masks', slotCount);
  const covered = scratch.floats('covered', slotCount, 0);
  const conversation = new Float32Array(conversations.size);
  const total = sight.slots.length;
  const numbers = question.terms.map((text) => vocabulary.find(text));
  const weights: number[] = [];
  const frequencies: number[] = [];
  const addToConversations = createCounter(holdings, sight, conversation);
  numbers.forEach((term, bit) => {
    const count = term === undefined ? 0 : postings.collect(term, sight.visible, found);
    const weight = Math.log(1 + (total - count + 0.5) / (count + 0.5));
    weights.push(weight);
    frequencies.push(count);
    const { slots } = found;
    for (let index = 0; index < count; index += 1) {
      const slot = slots[index] as number;
      masks[slot] = (masks[slot] as number) | (1 << bit);
      covered[slot] = (covered[slot] as number) + weight;
    }
    addToConversations(count, weight);
  });
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
  let bestConversation = 0;
  for (let talk = 0; talk < conversation.length; talk += 1) {
    bestConversation = Math.max(bestConversation, conversation[talk] as number);
  }
  return {
    masks,
    covered,
    conversation,
    bestConversation,
    weights,
    totalWeight,
    frequencies,
    numbers,
  };
}

/** Adds what was found of one term to the scores of conversations. */
function createCounter(
  { columns, conversations }: Holdings,
  { lengths }: Sight,
  scores: Float32Array,
): (count: number, weight: number) => void {
  const talks = columns.conversation;
  const counts = new Int32Array(conversations.size);
  const touched = new Int32Array(conversations.size);
  return (count, weight) => {
    let size = 0;
    for (let index = 0; index < count; index += 1) {
      const talk = talks[found.slots[index] as number] as number;
      if (talk < 0) continue;
      if (counts[talk] === 0) {
        touched[size] = talk;
        size += 1;
      }
      counts[talk] = (counts[talk] as number) + (found.counts[index] as number);
    }
    for (let index = 0; index < size; index += 1) {
      const talk = touched[index] as number;
      const share = (lengths.conversations[talk] as number) / lengths.meanConversation;
      const often = counts[talk] as number;
      scores[talk] = (scores[talk] as number) + weight * saturate(often, share, CONVERSATION);
      counts[talk] = 0;
    }
  };
}

/** How well the words of a question fit one text, as its share of what they could weigh. */
export function scoreWords(
  holdings: Holdings,
  { terms, sight }: { readonly terms: TermMatch; readonly sight: Sight },
  slot: number,
): number {
  if (terms.masks[slot] === 0 || terms.totalWeight === 0) return 0;
  const share = (holdings.columns.length[slot] ?? 0) / sight.lengths.meanTurn;
  const words = holdings.termsOf(slot).subarray(0, MAX_COUNTED_TERMS);
  let sum = 0;
  terms.numbers.forEach((term, bit) => {
    if (term === undefined || ((terms.masks[slot] ?? 0) & (1 << bit)) === 0) return;
    let often = 0;
    for (let at = words.indexOf(term); at >= 0; at = words.indexOf(term, at + 1)) often += 1;
    sum += (terms.weights[bit] ?? 0) * saturate(Math.max(1, often), share, TURN);
  });
  return sum / terms.totalWeight;
}

/** BM25: more of the same word counts ever less, and less in a longer text. */
function saturate(often: number, share: number, { k, b }: typeof TURN): number {
  return (often * (k + 1)) / (often + k * (1 - b + b * share));
}
