import { FLAGS } from './columns.ts';
import type { Holdings } from './holdings.ts';

/** How common words are among all that a reader may see: what is kept from it does not show in any figure. */
export interface WordCounts {
  /** Memories that it may see, in whatever project. */
  readonly size: number;
  /** How many of them hold the term. */
  frequency(term: number): number;
}

/** What is hidden from a reader, and how many those are. */
interface Hidden {
  readonly isHidden: (slot: number) => boolean;
  readonly count: number;
}

/** Counted when it is first asked for, by the fewer: what is hidden, or what is not. */
export function countWords(holdings: Holdings, { isHidden, count }: Hidden): WordCounts {
  const { postings } = holdings;
  const size = holdings.size - count;
  if (count === 0) return { size, frequency: (term) => postings.frequency(term) };
  const isMostHidden = count > size;
  let counts: Int32Array | undefined;
  return {
    size,
    frequency(term) {
      counts ??= countTerms(holdings, (slot) => isHidden(slot) !== isMostHidden);
      const counted = counts[term] ?? 0;
      return isMostHidden ? counted : postings.frequency(term) - counted;
    },
  };
}

/** In how many of these slots each term is. */
function countTerms(holdings: Holdings, isCounted: (slot: number) => boolean): Int32Array {
  const { columns, slotCount, vocabulary } = holdings;
  const counts = new Int32Array(vocabulary.size);
  const countedIn = new Int32Array(vocabulary.size).fill(-1);
  for (let slot = 0; slot < slotCount; slot += 1) {
    if (((columns.flags[slot] as number) & FLAGS.isThere) === 0 || !isCounted(slot)) continue;
    const terms = holdings.termsOf(slot);
    for (let index = 0; index < terms.length; index += 1) {
      const term = terms[index] as number;
      if (countedIn[term] === slot) continue;
      countedIn[term] = slot;
      counts[term] = (counts[term] as number) + 1;
    }
  }
  return counts;
}
