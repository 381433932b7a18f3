import type { FoundSlots } from './postings.ts';
import type { View } from './view.ts';

/** A phrase of common words is looked for in so many texts at most, the newest first. */
const MAX_LOOKED_AT = 20_000;

/** Those that hold every word of the question, or one of its phrases word by word. */
export function findExact(view: View): Set<number> {
  const exact = new Set<number>();
  addFull(view, exact);
  for (const phrase of view.question.phrases) addPhrase(view, phrase, exact);
  return exact;
}

function addFull({ question, terms, sight, holdings }: View, exact: Set<number>): void {
  if (question.terms.length === 0 || terms.frequencies.includes(0)) return;
  const full = 2 ** question.terms.length - 1;
  const all = toNumbers(holdings, question.allTerms);
  if (!all) return;
  // Names are left out of the mask.
  const names = all.filter((term) => !terms.numbers.includes(term));
  const { masks } = terms;
  for (const slot of findRarest(holdings, sight, all)) {
    if (masks[slot] !== full) continue;
    const words = names.length > 0 ? holdings.termsOf(slot) : undefined;
    if (names.every((name) => words?.includes(name))) exact.add(slot);
  }
}

function addPhrase({ holdings, sight }: View, phrase: readonly string[], exact: Set<number>): void {
  const numbers = toNumbers(holdings, phrase);
  if (!numbers) return;
  for (const slot of findRarest(holdings, sight, numbers).subarray(0, MAX_LOOKED_AT)) {
    if (holdsInRow(holdings.termsOf(slot), numbers)) exact.add(slot);
  }
}

/** Who holds the rarest of these terms, the newest first. */
function findRarest(
  { postings }: View['holdings'],
  { visible }: View['sight'],
  terms: readonly number[],
): Int32Array {
  const rarest = terms.reduce((a, b) => (postings.frequency(b) < postings.frequency(a) ? b : a));
  const found: FoundSlots = { slots: new Int32Array(1_024), counts: new Uint8Array(1_024) };
  const count = postings.collect(rarest, visible, found);
  return found.slots.subarray(0, count);
}

function holdsInRow(terms: Int32Array, wanted: readonly number[]): boolean {
  const [first = -1] = wanted;
  for (let at = terms.indexOf(first); at >= 0; at = terms.indexOf(first, at + 1)) {
    if (wanted.every((term, index) => terms[at + index] === term)) return true;
  }
  return false;
}

/** Undefined when one of them is nowhere. */
function toNumbers(
  { vocabulary }: View['holdings'],
  words: readonly string[],
): readonly number[] | undefined {
  const numbers = words.map((word) => vocabulary.find(word));
  return numbers.every((number) => number !== undefined) ? numbers : undefined;
}
