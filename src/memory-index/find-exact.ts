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
  const names = toNumbers(holdings, question.allTerms);
  if (!names) return;
  const { masks } = terms;
  for (let index = 0; index < sight.slots.length; index += 1) {
    const slot = sight.slots[index] as number;
    if (masks[slot] !== full) continue;
    const words = new Set(holdings.termsOf(slot));
    if (names.every((name) => words.has(name))) exact.add(slot);
  }
}

function addPhrase({ holdings, sight }: View, phrase: readonly string[], exact: Set<number>): void {
  const numbers = toNumbers(holdings, phrase);
  if (!numbers) return;
  const postings = holdings.postings;
  const rarest = numbers.reduce((a, b) => (postings.frequency(b) < postings.frequency(a) ? b : a));
  const found: FoundSlots = { slots: new Int32Array(1_024), counts: new Uint8Array(1_024) };
  const count = Math.min(MAX_LOOKED_AT, postings.collect(rarest, sight.visible, found));
  for (let index = 0; index < count; index += 1) {
    const slot = found.slots[index] as number;
    if (holdsInRow(holdings.termsOf(slot), numbers)) exact.add(slot);
  }
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
