import { MAX_NAME_WORDS, toSpeakerName } from './speakers.ts';
import { eachWord } from './split-words.ts';

const INTERROGATIVE =
  /^(?:(?:on|in|at|for|by|from|with|to|about)\s+)?(?:what|when|where|who|whom|whose|why|which|how)\b(?:'s|’s)?/i;
const AUXILIARY =
  /\b(?:did|does|do|is|are|was|were|has|have|had|will|would|can|could|should|might|may|am)\b/i;
const LEADING_AUXILIARY = new RegExp(`^${AUXILIARY.source}`, 'i');
/** Farther in, the word is part of what is told. */
const MAX_AUXILIARY_AT = 40;

const POSSESSIVE = /['’].*$/u;
const MAX_WORDS = 256;

const PRONOUNS: readonly (readonly [RegExp, string, string])[] = [
  [/\b(?:she|he)\b/gi, 'I', 'we'],
  [/\b(?:her|his)\b/gi, 'my', 'our'],
  [/\bhim\b/gi, 'me', 'us'],
  [/\b(?:herself|himself)\b/gi, 'myself', 'ourselves'],
  [/\bthey\b/gi, 'I', 'we'],
  [/\btheir\b/gi, 'my', 'our'],
  [/\bthem\b/gi, 'me', 'us'],
  [/\bthemselves\b/gi, 'myself', 'ourselves'],
];

/** As somebody would say it who was there: `When did Caroline see her sister?` → `When did I see my sister?` */
export function toFirstPerson(question: string, names: readonly NamedSpeaker[]): string {
  if (names.length === 0) return question;
  const known = names.map(({ written }) => escapePattern(written)).join('|');
  const person = `\\b(?:${known})\\b`;
  const several = new RegExp(
    `${person}(?:\\s*,\\s*${person})*\\s*(?:,\\s*)?(?:and|&)\\s+${person}`,
    'giu',
  );
  const isSeveral = several.test(question);
  let said = question
    .replace(new RegExp(`${several.source}['’]s`, 'giu'), 'our')
    .replace(several, 'we')
    .replace(new RegExp(`${person}['’]s?(?=\\s|$)`, 'giu'), 'my')
    .replace(new RegExp(person, 'giu'), 'I');
  for (const [pattern, one, many] of PRONOUNS) said = said.replace(pattern, isSeveral ? many : one);
  return said
    .replace(/\b(of|to|with|for|by|from|about|at|than|between|near|like) I\b/gi, '$1 me')
    .replace(/\bdoes (I|we)\b/gi, 'do $1')
    .replace(/\bis I\b/gi, 'am I')
    .replace(/\bhas I\b/gi, 'have I')
    .replace(/\bI has\b/gi, 'I have')
    .replace(/\bI is\b/gi, 'I am');
}

/** What an answer would begin with: `When did I see my sister?` → `I see my sister`. */
export function toStatement(question: string): string {
  const said = question.trim().replace(/[?？\s]+$/u, '');
  const asked = INTERROGATIVE.exec(said);
  if (!asked) return said.replace(LEADING_AUXILIARY, '').trim() || question;
  const rest = said.slice(asked[0].length).trim();
  const auxiliary = AUXILIARY.exec(rest);
  if (!auxiliary || auxiliary.index > MAX_AUXILIARY_AT) return rest || question;
  const before = rest.slice(0, auxiliary.index).trim();
  const after = rest.slice(auxiliary.index + auxiliary[0].length).trim();
  return [after, before].filter((part) => part !== '').join(' ') || question;
}

/** A speaker that a question names, and how it is written there. */
export interface NamedSpeaker {
  readonly name: string;
  readonly written: string;
}

/** Which known speakers a question names, as whole words, whatever their case. */
export function findNames(
  question: string,
  isSpeaker: (name: string) => boolean,
): readonly NamedSpeaker[] {
  const words = [...eachWord(question, MAX_WORDS)].map(({ written }) =>
    written.replace(POSSESSIVE, ''),
  );
  const found = new Map<string, NamedSpeaker>();
  for (let start = 0; start < words.length; start += 1) {
    for (let length = MAX_NAME_WORDS; length > 0; length -= 1) {
      const written = words.slice(start, start + length).join(' ');
      const name = toSpeakerName(written);
      if (start + length <= words.length && isSpeaker(name)) found.set(name, { name, written });
    }
  }
  return [...found.values()];
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
