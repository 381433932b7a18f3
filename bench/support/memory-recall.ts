import type { AgentId, MemoryId } from '../../src/core/ids.ts';
import type { IndexQuery } from '../../src/core/memory/memory-index.ts';
import { SIGNALS, type Weights } from '../../src/core/memory/ranking/signals.ts';
import { withoutSpeaker } from '../../src/core/memory/ranking/speakers.ts';
import { Holdings } from '../../src/memory-index/holdings.ts';
import { measureSignals } from '../../src/memory-index/measure-signals.ts';
import {
  openView,
  prepareQuestion,
  searchHoldings,
  type WeightSets,
} from '../../src/memory-index/search-holdings.ts';
import { seeSlots } from '../../src/memory-index/see-slots.ts';
import type { Dialogue } from './dialogues.ts';

export interface Recall {
  readonly category: string;
  readonly dialogue: number;
  /** Shares of the evidence among the first ten results, of its sessions among the first ten sessions. */
  readonly turns: number;
  readonly sessions: number;
  readonly ms: number;
}

/** How questions are asked: by words alone, by vectors alone, by all. */
export type Mode = 'keyword' | 'vector' | 'hybrid';

/** Undefined: without an embedder, by words alone. */
export type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

const FIRST = 10;
/** As many as a search may give. */
const LIMIT = 100;
const NOW_MS = Date.UTC(2026, 0, 1);

const NOTHING = Object.fromEntries(SIGNALS.map((signal) => [signal, 0])) as unknown as Weights;
const MEANING_ALONE: Weights = { ...NOTHING, meaningSaid: 1, meaningStated: 1 };

/** All dialogues in one index, a project for each. */
export async function indexDialogues(
  dialogues: readonly Dialogue[],
  embed: Embed | undefined,
): Promise<Holdings> {
  const holdings = new Holdings();
  for (const [number, { turns }] of dialogues.entries()) {
    const vectors = await embed?.(turns.map(({ text }) => withoutSpeaker(text)));
    turns.forEach(({ session, atMs, text }, index) => {
      const vector = vectors?.[index];
      holdings.apply({
        change: 'put',
        memory: {
          id: toId(number, index),
          owner: 'operator',
          agentId: 'agent' as AgentId,
          projectId: `${number}`,
          sessionId: session,
          content: text,
          source: 'chat',
          tags: [],
          timestampMs: atMs,
          extra: {},
          priorityScore: 0,
          pinned: false,
          isPrivate: false,
          isTrusted: true,
          accessCount: 0,
          accessedAtMs: 0,
          createdAtMs: 0,
          updatedAtMs: 0,
          revision: 0,
          vectors: vector ? [vector] : [],
        },
      });
    });
  }
  return holdings;
}

/** Asks every question of every dialogue. */
export async function measureRecall(
  holdings: Holdings,
  dialogues: readonly Dialogue[],
  { mode, embed, weights }: { mode: Mode; embed?: Embed | undefined; weights?: WeightSets },
): Promise<Recall[]> {
  const recalls: Recall[] = [];
  for (const [number, { turns, questions }] of dialogues.entries()) {
    const queries = await toQueries(
      holdings,
      { number, questions },
      mode === 'keyword' ? undefined : embed,
    );
    const sight = seeSlots(holdings, { projectId: `${number}`, privateAgentIds: [] });
    const places = new Map(turns.map((turn, index) => [toId(number, index), turn]));
    queries.forEach((query, index) => {
      const startedAt = performance.now();
      const vectorOnly = { hybrid: MEANING_ALONE, keyword: MEANING_ALONE };
      const ranked = searchHoldings(
        { holdings, sight },
        query,
        mode === 'vector' ? vectorOnly : weights,
      );
      const ms = performance.now() - startedAt;
      const found = ranked.flatMap(({ id }) => places.get(id) ?? []);
      const { evidence = [], category = '' } = questions[index] ?? {};
      const wanted = turns.filter(({ key }) => evidence.includes(key));
      const sessions = [...new Set(found.map(({ session }) => session))].slice(0, FIRST);
      const first = found.slice(0, FIRST).map(({ key }) => key);
      recalls.push({
        category,
        dialogue: number,
        ms,
        turns: share(evidence, first),
        sessions: share([...new Set(wanted.map(({ session }) => session))], sessions),
      });
    });
  }
  return recalls;
}

/** What every turn of a dialogue measures for a question, and which of them answer it. */
export interface MeasuredQuestion {
  readonly dialogue: number;
  /** One row of signals after the other. */
  readonly signals: Float32Array;
  readonly evidence: readonly number[];
}

export async function measureQuestions(
  holdings: Holdings,
  dialogues: readonly Dialogue[],
  embed: Embed | undefined,
): Promise<MeasuredQuestion[]> {
  const measured: MeasuredQuestion[] = [];
  for (const [number, { turns, questions }] of dialogues.entries()) {
    const queries = await toQueries(holdings, { number, questions }, embed);
    const keys = new Map(turns.map(({ key }, index) => [toId(number, index) as string, key]));
    queries.forEach((query, at) => {
      const sight = seeSlots(holdings, query.filter);
      const view = openView(holdings, sight, query);
      const signals = new Float32Array(sight.slots.length * SIGNALS.length);
      const row = new Float64Array(SIGNALS.length);
      const evidence: number[] = [];
      sight.slots.forEach((slot, index) => {
        measureSignals(view, slot, row);
        signals.set(row, index * SIGNALS.length);
        const key = keys.get(holdings.idOf(slot)) ?? '';
        if (questions[at]?.evidence.includes(key)) evidence.push(index);
      });
      measured.push({ dialogue: number, signals, evidence });
    });
  }
  return measured;
}

async function toQueries(
  holdings: Holdings,
  { number, questions }: { number: number; questions: Dialogue['questions'] },
  embed: Embed | undefined,
): Promise<IndexQuery[]> {
  const filter = { projectId: `${number}`, privateAgentIds: [] };
  const sight = seeSlots(holdings, filter);
  const forms = questions.map(({ text }) => prepareQuestion(holdings, text, sight));
  const vectors = await embed?.(forms.flat());
  let next = 0;
  return questions.map(({ text }, index) => {
    const count = forms[index]?.length ?? 0;
    const own = vectors?.slice(next, next + count);
    next += count;
    return { text, filter, vectors: own, limit: LIMIT, nowMs: NOW_MS };
  });
}

function share(wanted: readonly string[], found: readonly string[]): number {
  return wanted.filter((one) => found.includes(one)).length / wanted.length;
}

function toId(dialogue: number, turn: number): MemoryId {
  return `mem_${dialogue}_${String(turn).padStart(6, '0')}` as MemoryId;
}
