import { findSpeakerLabel } from '../core/memory/ranking/speakers.ts';
import { eachWord } from '../core/memory/ranking/split-words.ts';
import { TERM_TRAITS } from '../core/memory/ranking/term-traits.ts';
import { TEXT_TRAITS } from './columns.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface ReadText {
  /** In order, tags last. */
  readonly terms: readonly number[];
  readonly length: number;
  readonly traits: number;
  readonly capitals: number;
}

/** About a megabyte of text. What comes after is found by its vectors only. */
const MAX_WORDS = 200_000;
const MAX_TAG_WORDS = 256;
const MAX_CAPITALS = 255;
const SENTENCE_END = /[.!?:;…。！？\n"“”(]\s*$/u;
/** What is appended in brackets, such as the caption of a picture, is not how somebody ended. */
const APPENDED = /\s*[[(][^\])]*[\])]\s*$/u;

const TRAITS_OF_TERMS: readonly (readonly [number, number])[] = [
  [TERM_TRAITS.firstPerson, TEXT_TRAITS.firstPerson],
  [TERM_TRAITS.secondPerson, TEXT_TRAITS.secondPerson],
  [TERM_TRAITS.time, TEXT_TRAITS.time],
  [TERM_TRAITS.number, TEXT_TRAITS.number],
  [TERM_TRAITS.place, TEXT_TRAITS.place],
  [TERM_TRAITS.reason, TEXT_TRAITS.reason],
];

export function readText(
  content: string,
  tags: readonly string[],
  vocabulary: Vocabulary,
): ReadText {
  const terms: number[] = [];
  const saidFrom = findSpeakerLabel(content)?.end ?? 0;
  let bits = 0;
  let length = 0;
  let capitals = 0;
  let end = 0;
  for (const { written, start } of eachWord(content, MAX_WORDS)) {
    for (const term of vocabulary.read(written)) {
      terms.push(term);
      const traits = vocabulary.traits(term);
      if (start >= saidFrom) bits |= traits;
      if ((traits & TERM_TRAITS.stop) === 0) length += 1;
    }
    if (
      start > saidFrom &&
      isCapital(written) &&
      !SENTENCE_END.test(content.slice(Math.max(0, end - 1), start))
    ) {
      capitals += 1;
    }
    end = start + written.length;
  }
  for (const { written } of eachWord(tags.join(' '), MAX_TAG_WORDS))
    terms.push(...vocabulary.read(written));
  return {
    terms,
    length,
    capitals: Math.min(MAX_CAPITALS, capitals),
    traits: toTextTraits(bits) | readAsking(content),
  };
}

function isCapital(written: string): boolean {
  const first = written.charCodeAt(0);
  if (first < 128)
    return first >= 65 && first <= 90 && written !== 'I' && !written.startsWith("I'");
  return /^\p{Lu}/u.test(written);
}

function toTextTraits(bits: number): number {
  let traits = 0;
  for (const [ofTerm, ofText] of TRAITS_OF_TERMS) {
    if ((bits & ofTerm) !== 0) traits |= ofText;
  }
  return traits;
}

const TAIL = 600;

function readAsking(content: string): number {
  const asks = /[?？]/.test(content) ? TEXT_TRAITS.asks : 0;
  if (asks === 0) return 0;
  const ending = content.slice(-TAIL).replace(APPENDED, '').trimEnd();
  return /[?？]$/.test(ending) ? asks | TEXT_TRAITS.endsAsking : asks;
}
