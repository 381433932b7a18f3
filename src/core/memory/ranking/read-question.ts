import { findDates, type NamedDate } from './dates.ts';
import { findNames, toFirstPerson, toStatement } from './question-forms.ts';
import { toTerms } from './terms.ts';

/** What kind of answer a question wants; several may hold, as a rule none or one does. */
export interface QuestionKinds {
  readonly isTime: boolean;
  readonly isNumber: boolean;
  readonly isPlace: boolean;
  readonly isPerson: boolean;
  readonly isReason: boolean;
}

export interface Question {
  /** Distinct, in order; without stop words, unless there are no others, and without names of speakers. */
  readonly terms: readonly string[];
  /** All of its distinct terms but stop words, names included: who holds all of them is never left out. */
  readonly allTerms: readonly string[];
  /** What stands in quotes, and identifiers such as `ERR-1234` or `src/main.ts`, as terms in a row. */
  readonly phrases: readonly (readonly string[])[];
  /** Speakers it names. */
  readonly names: readonly string[];
  readonly kinds: QuestionKinds;
  readonly dates: readonly NamedDate[];
}

/** Bits of a mask say which terms a text holds: rarer questions lose their last words. */
const MAX_QUESTION_TERMS = 31;
const MAX_PHRASES = 8;
/** Characters: what comes after is no question, and would only cost time. */
const MAX_LENGTH = 2_000;

const QUOTED = /"([^"]{2,200})"|“([^”]{2,200})”|«([^»]{2,200})»|`([^`]{2,200})`/gu;
const IDENTIFIER = /[\p{L}\p{N}]+(?:[-_./:@#][\p{L}\p{N}]+)+/gu;

export function readQuestion(
  asked: string,
  { isSpeaker, nowMs }: { readonly isSpeaker: (name: string) => boolean; readonly nowMs: number },
): Question {
  const text = asked.slice(0, MAX_LENGTH);
  const names = findNames(text, isSpeaker).map(({ name }) => name);
  const inNames = new Set(names.flatMap((name) => toTerms(name).map((term) => term.text)));
  const all = toTerms(text);
  const telling = all.filter((term) => !term.isStop).map((term) => term.text);
  const topical = telling.filter((term) => !inNames.has(term));
  const everything = all.map((term) => term.text);
  return {
    terms: distinct(firstFilled(topical, telling, everything)),
    allTerms: distinct(firstFilled(telling, everything)),
    phrases: findPhrases(text),
    names,
    kinds: findKinds(text),
    dates: findDates(text, nowMs),
  };
}

/** The texts to embed for a question. */
export function toQuestionForms(
  asked: string,
  isSpeaker: (name: string) => boolean,
): readonly string[] {
  const text = asked.slice(0, MAX_LENGTH);
  const said = toFirstPerson(text, findNames(text, isSpeaker));
  return [said, toStatement(said)];
}

function findKinds(text: string): QuestionKinds {
  return {
    isTime:
      /\b(?:when|what (?:date|day|month|year|time)|which (?:date|day|month|year)|how long|since when)\b/i.test(
        text,
      ),
    isNumber: /\bhow (?:many|much|often|old|long)\b/i.test(text),
    isPlace: /\b(?:where|(?:which|what) (?:city|country|place|state|town))\b/i.test(text),
    isPerson: /\b(?:who|whom|whose)\b/i.test(text),
    isReason: /\b(?:why|what (?:made|inspired|motivated)|reason)\b/i.test(text),
  };
}

function findPhrases(text: string): string[][] {
  const written = [...text.matchAll(QUOTED)].map((match) => match.slice(1).find(Boolean) ?? '');
  const identifiers = [...text.matchAll(IDENTIFIER)].map((match) => match[0]);
  return [...written, ...identifiers]
    .slice(0, MAX_PHRASES)
    .map((phrase) => toTerms(phrase).map((term) => term.text))
    .filter((phrase) => phrase.length > 0);
}

function firstFilled(...lists: readonly string[][]): string[] {
  return lists.find((list) => list.length > 0) ?? [];
}

function distinct(terms: readonly string[]): string[] {
  return [...new Set(terms)].slice(0, MAX_QUESTION_TERMS);
}
