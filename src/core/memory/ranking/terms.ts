import { toBaseForm } from './irregular-forms.ts';
import { eachWord, toWordForms } from './split-words.ts';
import { stemWord } from './stem-word.ts';
import { isStopWord } from './stop-words.ts';

/** What texts and questions are compared by. */
export interface Term {
  readonly text: string;
  /** Says nothing about the topic: only looked for when a question has no other words. */
  readonly isStop: boolean;
}

/** A question is short; what goes beyond is no question. */
const MAX_QUESTION_WORDS = 256;

export function toTerm(form: string): Term {
  if (isStopWord(form)) return { text: form, isStop: true };
  const base = toBaseForm(form);
  const stem = stemWord(base);
  // `Ines` would become `in`.
  return { text: isStopWord(stem) ? base : stem, isStop: false };
}

/** Terms of a short text, in order. */
export function toTerms(text: string): Term[] {
  const terms: Term[] = [];
  for (const { written } of eachWord(text, MAX_QUESTION_WORDS)) {
    for (const form of toWordForms(written)) terms.push(toTerm(form));
  }
  return terms;
}
