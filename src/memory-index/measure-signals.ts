import { matchDates } from '../core/memory/ranking/dates.ts';
import { SIGNALS, type Signal } from '../core/memory/ranking/signals.ts';
import { TERM_TRAITS } from '../core/memory/ranking/term-traits.ts';
import { TEXT_TRAITS } from './columns.ts';
import { scoreWords } from './match-terms.ts';
import type { Around, View } from './view.ts';

/** Where each signal stands among the measured ones. */
const AT = Object.fromEntries(SIGNALS.map((signal, index) => [signal, index])) as Record<
  Signal,
  number
>;

const MAX_CAPITALS = 4;
/** A text is judged by its beginning: long ones would be read as often as they are candidates. */
const MAX_JUDGED_TERMS = 64;
/** Brings weights of words to about 1. */
const FULL_WEIGHT = 8;

interface Turn {
  readonly slot: number;
  readonly around: Around;
}

/** Measures a slot by all signals, in their order. */
export function measureSignals(view: View, slot: number, into: Float64Array): void {
  const around = view.around(slot);
  into.fill(0);
  const turn = { slot, around };
  measureWords(view, turn, into);
  measureText(view, slot, into);
  measureTurn(view, turn, into);
  if (view.meaning) measureMeaning(view, turn, into);
  const { dates } = view.question;
  if (dates.length > 0) {
    const { month, day } = matchDates(dates, view.holdings.columns.timestampMs[slot] ?? 0);
    into[AT.month] = month;
    into[AT.day] = day;
  }
}

function measureWords(view: View, { slot, around }: Turn, into: Float64Array): void {
  const { terms, holdings } = view;
  const [before, earlier, after, later] = around;
  const maskOf = (at: number) => (at < 0 ? 0 : (terms.masks[at] as number));
  const own = maskOf(slot);
  const near = own | maskOf(before) | maskOf(after);
  into[AT.covered] = shareOf(view, own);
  into[AT.coveredNear] = shareOf(view, near);
  into[AT.coveredAround] = shareOf(view, near | maskOf(earlier) | maskOf(later));
  into[AT.rarest] = rarestOf(view, own) / FULL_WEIGHT;
  const talk = holdings.columns.conversation[slot] as number;
  if (terms.bestConversation > 0) {
    // What stands alone is a conversation of its own.
    const words =
      talk < 0
        ? scoreWords(holdings, view, slot) * terms.totalWeight
        : (terms.conversation[talk] as number);
    into[AT.conversationWords] = Math.min(1, words / terms.bestConversation);
  }
}

function shareOf({ terms }: View, mask: number): number {
  let sum = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1)
    sum += terms.weights[lowestBit(rest)] as number;
  return terms.totalWeight === 0 ? 0 : sum / terms.totalWeight;
}

function rarestOf({ terms }: View, mask: number): number {
  let most = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    most = Math.max(most, terms.weights[lowestBit(rest)] as number);
  }
  return most;
}

function lowestBit(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}

/** What the text is like, and whether that is what the question wants. */
function measureText(view: View, slot: number, into: Float64Array): void {
  const { holdings, question } = view;
  const { columns } = holdings;
  const traits = columns.traits[slot] as number;
  const has = (trait: number) => ((traits & trait) === 0 ? 0 : 1);
  const capitals = Math.min(MAX_CAPITALS, columns.capitals[slot] as number) / MAX_CAPITALS;
  const { isTime, isNumber, isPlace, isReason } = question.kinds;
  into[AT.asks] = has(TEXT_TRAITS.endsAsking);
  into[AT.firstPerson] = has(TEXT_TRAITS.firstPerson);
  into[AT.capitals] = capitals;
  into[AT.rareWords] = meanWeight(view, slot) / FULL_WEIGHT;
  into[AT.time] = has(TEXT_TRAITS.time);
  if (isTime) into[AT.timeAsked] = has(TEXT_TRAITS.time);
  if (isNumber) into[AT.numberAsked] = has(TEXT_TRAITS.number);
  if (isPlace) into[AT.placeAsked] = capitals;
  if (isReason) into[AT.reasonAsked] = has(TEXT_TRAITS.reason);
}

/** Who says it, and what it follows. */
function measureTurn(view: View, { slot, around }: Turn, into: Float64Array): void {
  const [before] = around;
  const { columns } = view.holdings;
  const { meaning, named } = view;
  const speaker = columns.speaker[slot] as number;
  if (named.size === 1 && speaker >= 0) {
    const isNamed = named.has(speaker);
    const isAboutOneself = ((columns.traits[slot] as number) & TEXT_TRAITS.firstPerson) !== 0;
    into[AT.speaker] = isNamed ? 1 : -1;
    if (isNamed && isAboutOneself) into[AT.speakerAboutOneself] = 1;
  }
  if (before < 0) {
    if ((columns.conversation[slot] as number) >= 0) into[AT.opens] = 1;
    return;
  }
  const isAsked = ((columns.traits[before] as number) & TEXT_TRAITS.asks) !== 0;
  if (!isAsked || columns.speaker[before] === speaker) return;
  into[AT.answersWords] = scoreWords(view.holdings, view, before);
  if (meaning) into[AT.answersMeaning] = meaning.best[before] as number;
}

function measureMeaning(view: View, { slot, around }: Turn, into: Float64Array): void {
  const { meaning, holdings } = view;
  if (!meaning) return;
  const best = (at: number) => (at < 0 ? 0 : (meaning.best[at] as number));
  const [said, stated = said] = meaning.forms;
  const talk = holdings.columns.conversation[slot] as number;
  into[AT.meaningSaid] = said?.[slot] ?? 0;
  into[AT.meaningStated] = stated?.[slot] ?? 0;
  into[AT.meaningBefore] = best(around[0]);
  into[AT.meaningAround] = around.reduce((sum, at) => sum + best(at), 0) / around.length;
  into[AT.meaningConversation] = talk < 0 ? best(slot) : meaning.ofConversation(talk);
}

/** How telling its words are on the whole, among all that the reader may see. */
function meanWeight({ holdings, sight: { words } }: View, slot: number): number {
  const { vocabulary, sequences, columns } = holdings;
  const weigh = weigher(words.size);
  const start = columns.sequenceStart[slot] as number;
  const end = start + Math.min(MAX_JUDGED_TERMS, columns.sequenceLength[slot] as number);
  let sum = 0;
  let count = 0;
  for (let at = start; at < end; at += 1) {
    const term = sequences.termAt(at);
    if ((vocabulary.traits(term) & TERM_TRAITS.stop) !== 0) continue;
    sum += weigh(words.frequency(term));
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}

let weighed = { size: -1, weights: new Float32Array() };
const MAX_WEIGHED = 4_096;

/** Logarithms are dear when thousands are asked for: those of small frequencies are kept, for one size of the whole. */
function weigher(size: number): (frequency: number) => number {
  const weight = (frequency: number) =>
    Math.log(1 + (size - frequency + 0.5) / (Math.min(size, frequency) + 0.5));
  if (weighed.size !== size) {
    const length = Math.min(size + 1, MAX_WEIGHED);
    weighed = { size, weights: Float32Array.from({ length }, (_, frequency) => weight(frequency)) };
  }
  const { weights } = weighed;
  return (frequency) => weights[frequency] ?? weight(frequency);
}
