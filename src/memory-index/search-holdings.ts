import type { IndexQuery, RankedMemory } from '../core/memory/memory-index.ts';
import { arrangeResults } from '../core/memory/ranking/arrange-results.ts';
import {
  type Question,
  readQuestion,
  toQuestionForms,
} from '../core/memory/ranking/read-question.ts';
import { scaleScore } from '../core/memory/ranking/scale-score.ts';
import { SIGNAL_GROUPS, SIGNALS, type Weights } from '../core/memory/ranking/signals.ts';
import { scoreStanding } from '../core/memory/ranking/standing.ts';
import { HYBRID_WEIGHTS, KEYWORD_WEIGHTS } from '../core/memory/ranking/weights.ts';
import { FLAGS } from './columns.ts';
import { findExact } from './find-exact.ts';
import type { Holdings } from './holdings.ts';
import { matchMeaning } from './match-meaning.ts';
import { matchTerms } from './match-terms.ts';
import { measureSignals } from './measure-signals.ts';
import { pickCandidates } from './pick-candidates.ts';
import type { Sight } from './see-slots.ts';
import { createAround, type View } from './view.ts';

/** With vectors, and without. */
export interface WeightSets {
  readonly hybrid: Weights;
  readonly keyword: Weights;
}

/** Everything, and what of it the query's filter lets through. */
export interface Seen {
  readonly holdings: Holdings;
  readonly sight: Sight;
}

interface Candidate {
  readonly slot: number;
  readonly score: number;
  readonly conversation: number | undefined;
  readonly isExact: boolean;
}

const FITTED: WeightSets = { hybrid: HYBRID_WEIGHTS, keyword: KEYWORD_WEIGHTS };

/** The texts to embed for a question. */
export function prepareQuestion(holdings: Holdings, text: string, sight: Sight): readonly string[] {
  return toQuestionForms(text, knowsSpeaker(holdings, sight));
}

export function searchHoldings(
  { holdings, sight }: Seen,
  query: IndexQuery,
  weightSets: WeightSets = FITTED,
): readonly RankedMemory[] {
  if (sight.slots.length === 0 || query.limit <= 0) return [];
  const view = openView(holdings, sight, query);
  const weights = view.meaning ? weightSets.hybrid : weightSets.keyword;
  const worth = Float64Array.from(SIGNALS, (signal) => weights[signal]);
  const exact = findExact(view);
  // Where more say exactly that than are asked for, it tells nobody apart.
  const favoured: ReadonlySet<number> = exact.size > query.limit ? new Set() : exact;
  const measured = new Float64Array(SIGNALS.length);
  const candidates: Candidate[] = [];
  for (const slot of pickCandidates(view, favoured)) {
    measureSignals(view, slot, measured);
    if (!view.meaning && !isFound(measured)) continue;
    const talk = holdings.columns.conversation[slot] ?? -1;
    candidates.push({
      slot,
      score: sumOf(measured, worth) + sumOfStanding(holdings, slot, query.nowMs),
      conversation: talk < 0 ? undefined : talk,
      isExact: favoured.has(slot),
    });
  }
  candidates.sort((a, b) => b.score - a.score || compareAge(holdings, a.slot, b.slot));
  const arranged = arrangeResults(candidates, query.limit);
  return toRanked(view, arranged, { worth, exact, nowMs: query.nowMs });
}

export function openView(holdings: Holdings, sight: Sight, query: IndexQuery): View {
  const isSpeaker = knowsSpeaker(holdings, sight);
  const question: Question = readQuestion(query.text, { isSpeaker, nowMs: query.nowMs });
  return {
    holdings,
    sight,
    question,
    terms: matchTerms(holdings, question, sight),
    meaning: matchMeaning(holdings, query.vectors, sight),
    named: new Set(question.names.map((name) => holdings.names.speakers.find(name) ?? -1)),
    around: createAround(holdings, sight),
  };
}

function knowsSpeaker({ names }: Holdings, { speakers }: Sight): (name: string) => boolean {
  return (name) => {
    const number = names.speakers.find(name);
    return number !== undefined && speakers.has(number);
  };
}

/** Words alone find what has some of them, in it or around it, or the day that is asked for. */
const FINDING = new Set(['coveredAround', 'conversationWords', 'month', 'day']);
const FINDING_AT = SIGNALS.flatMap((signal, index) => (FINDING.has(signal) ? [index] : []));

function isFound(measured: Float64Array): boolean {
  return FINDING_AT.some((index) => (measured[index] as number) > 0);
}

function sumOf(measured: Float64Array, worth: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < measured.length; index += 1) {
    sum += (measured[index] as number) * (worth[index] as number);
  }
  return sum;
}

function standingOf({ columns }: Holdings, slot: number, nowMs: number) {
  return scoreStanding(
    {
      priorityScore: columns.priority[slot] ?? 0,
      pinned: ((columns.flags[slot] ?? 0) & FLAGS.isPinned) !== 0,
      timestampMs: columns.timestampMs[slot] ?? 0,
      accessCount: columns.accessCount[slot] ?? 0,
      accessedAtMs: columns.accessedAtMs[slot] ?? 0,
    },
    nowMs,
  );
}

function sumOfStanding(holdings: Holdings, slot: number, nowMs: number): number {
  const { priority, pin, recency, access } = standingOf(holdings, slot, nowMs);
  return priority + pin + recency + access;
}

/** Newer first, so that equals have an order. */
function compareAge(holdings: Holdings, a: number, b: number): number {
  const byTime = (holdings.columns.timestampMs[b] ?? 0) - (holdings.columns.timestampMs[a] ?? 0);
  if (byTime !== 0 && !Number.isNaN(byTime)) return byTime;
  return holdings.idOf(a) < holdings.idOf(b) ? 1 : -1;
}

/** What results are explained with. */
interface Judgement {
  readonly worth: Float64Array;
  readonly exact: ReadonlySet<number>;
  readonly nowMs: number;
}

/** Whoever was moved up gets no more than the one before it. */
function toRanked(
  view: View,
  arranged: readonly Candidate[],
  { worth, exact, nowMs }: Judgement,
): RankedMemory[] {
  let least = 1;
  return arranged.map(({ slot, score }) => {
    least = Math.min(least, scaleScore(score));
    const why = explain(view, slot, worth);
    for (const [name, added] of Object.entries(standingOf(view.holdings, slot, nowMs))) {
      if (added !== 0) why[name] = round(added);
    }
    if (exact.has(slot)) why['exact'] = 0;
    return { id: view.holdings.idOf(slot), score: round(least), why };
  });
}

function explain(view: View, slot: number, worth: Float64Array): Record<string, number> {
  const measured = new Float64Array(SIGNALS.length);
  measureSignals(view, slot, measured);
  const why: Record<string, number> = {};
  SIGNALS.forEach((signal, index) => {
    const added = (measured[index] ?? 0) * (worth[index] ?? 0);
    if (added === 0) return;
    const group = SIGNAL_GROUPS[signal];
    why[group] = (why[group] ?? 0) + added;
  });
  return Object.fromEntries(Object.entries(why).map(([name, added]) => [name, round(added)]));
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
