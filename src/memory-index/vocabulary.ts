import { toWordForms } from '../core/memory/ranking/split-words.ts';
import { findTermTraits } from '../core/memory/ranking/term-traits.ts';
import { toTerm } from '../core/memory/ranking/terms.ts';

/** Terms as numbers. A word that was seen before is looked up once, as it is written. */
export interface Vocabulary {
  readonly size: number;
  /** What kind of word a term is: `TERM_TRAITS`. */
  traits(term: number): number;
  find(text: string): number | undefined;
  /** The terms of a written word, known from now on. */
  read(written: string): readonly number[];
}

/** Beyond that many spellings a word is taken apart anew each time: memory stays bounded by the terms. */
const MAX_REMEMBERED = 400_000;

export function createVocabulary(): Vocabulary {
  const numbers = new Map<string, number>();
  const traits: number[] = [];
  const remembered = new Map<string, readonly number[]>();

  function numberOf(form: string): number {
    const { text, isStop } = toTerm(form);
    const known = numbers.get(text);
    if (known !== undefined) return known;
    const term = traits.length;
    numbers.set(text, term);
    traits.push(findTermTraits(text, isStop));
    return term;
  }

  return {
    get size() {
      return traits.length;
    },
    traits: (term) => traits[term] ?? 0,
    find: (text) => numbers.get(text),

    read(written) {
      const known = remembered.get(written);
      if (known) return known;
      const terms = toWordForms(written).map(numberOf);
      if (remembered.size < MAX_REMEMBERED) remembered.set(written, terms);
      return terms;
    },
  };
}
