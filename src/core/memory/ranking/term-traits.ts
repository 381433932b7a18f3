import { toTerms } from './terms.ts';

/** What kind of word a term is, as bits. */
export const TERM_TRAITS = {
  stop: 1,
  firstPerson: 2,
  time: 4,
  number: 8,
  secondPerson: 16,
  place: 32,
  reason: 64,
} as const;

const FIRST_PERSON = 'i me my mine myself we us our ours ourselves im ive id';
const SECOND_PERSON = 'you your yours yourself';
const TIME = `yesterday today tomorrow tonight ago last next week weekend month year day morning evening night afternoon
  monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
  october november december summer winter spring autumn fall recently soon since hour minute birthday anniversary date`;
const NUMBER = `one two three four five six seven eight nine ten eleven twelve dozen hundred thousand million once twice
  couple few several first second third half pair both`;
const PLACE =
  'in at near from to city town country street park beach mountain home abroad state island place';
const REASON = 'because since so why reason inspire motivate want help make remind feel';

const KINDS: readonly (readonly [number, ReadonlySet<string>])[] = [
  [TERM_TRAITS.firstPerson, termsOf(FIRST_PERSON)],
  [TERM_TRAITS.secondPerson, termsOf(SECOND_PERSON)],
  [TERM_TRAITS.time, termsOf(TIME)],
  [TERM_TRAITS.number, termsOf(NUMBER)],
  [TERM_TRAITS.place, termsOf(PLACE)],
  [TERM_TRAITS.reason, termsOf(REASON)],
];

const YEAR = /^(?:19|20)\d{2}$/;

export function findTermTraits(term: string, isStop: boolean): number {
  let traits = isStop ? TERM_TRAITS.stop : 0;
  for (const [trait, terms] of KINDS) {
    if (terms.has(term)) traits |= trait;
  }
  if (YEAR.test(term)) traits |= TERM_TRAITS.time;
  else if (/^\d/.test(term)) traits |= TERM_TRAITS.number;
  return traits;
}

function termsOf(words: string): ReadonlySet<string> {
  return new Set(toTerms(words.replace(/\s+/g, ' ')).map((term) => term.text));
}
