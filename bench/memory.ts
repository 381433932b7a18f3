// How long a search of memories takes, beside keyword engines that people embed; and what the index costs.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import type { IndexedMemory, MemoryIndex } from '../src/core/memory/memory-index.ts';
import { openThreadIndex } from '../src/memory-index/open-thread-index.ts';
import { NO_COSINE, VectorTable } from '../src/memory-index/vector-table.ts';
import { createCorpus, DIMENSIONS } from './support/memory-corpus.ts';
import { type IngestRate, measureIngest } from './support/memory-ingest.ts';
import { readOptions } from './support/options.ts';
import { limitRow, printReport, type Row, rateRow, whole } from './support/report.ts';
import { median, percentile } from './support/statistics.ts';

const { isQuick, peersDir } = readOptions();
const SIZES = isQuick ? [2_000] : [10_000, 100_000];
const QUESTIONS = isQuick ? 20 : 200;
const BATCH = 500;
const GOAL_SIZE = 100_000;
/** A second. */
const GOAL_INGEST = 2_000;

type Question = ReturnType<ReturnType<typeof createCorpus>['question']>;

interface Side {
  readonly name: string;
  readonly timesMs: number[];
  ask(question: Question): Promise<unknown>;
  close(): Promise<void>;
}

const rows: Row[] = [];
const figures: Record<string, number> = {};

async function fillIndex(index: MemoryIndex, memories: readonly IndexedMemory[]): Promise<number> {
  const startedAt = performance.now();
  for (let start = 0; start < memories.length; start += BATCH) {
    const part = memories.slice(start, start + BATCH);
    await index.apply(part.map((memory) => ({ change: 'put', memory })));
  }
  return performance.now() - startedAt;
}

function createOurs(index: MemoryIndex, name: string, isHybrid: boolean): Side {
  return {
    name,
    timesMs: [],
    ask: ({ text, vectors }) =>
      index.search({
        text,
        vectors: isHybrid ? vectors : undefined,
        filter: { projectId: 'bench', privateAgentIds: [] },
        limit: 10,
        nowMs: 1_800_000_000_000,
      }),
    close: async () => {},
  };
}

async function loadPeer(name: string): Promise<unknown> {
  if (peersDir === undefined) return undefined;
  try {
    const require = createRequire(join(peersDir, 'package.json'));
    return await import(pathToFileURL(require.resolve(name)).href);
  } catch {
    return undefined;
  }
}

interface MiniSearch {
  addAll(documents: readonly object[]): void;
  search(text: string): unknown[];
}

async function openMiniSearch(memories: readonly IndexedMemory[]): Promise<Side | undefined> {
  const peer = (await loadPeer('minisearch')) as
    | { default: new (options: object) => MiniSearch }
    | undefined;
  if (!peer) return undefined;
  const engine = new peer.default({ fields: ['content'] });
  const startedAt = performance.now();
  engine.addAll(memories.map(({ id, content }) => ({ id, content })));
  noteBuild('minisearch', memories.length, performance.now() - startedAt);
  return {
    name: 'minisearch, by words',
    timesMs: [],
    ask: async ({ text }) => engine.search(text).slice(0, 10),
    close: async () => {},
  };
}

interface Orama {
  create(options: object): unknown;
  insertMultiple(database: unknown, documents: readonly object[], batch: number): Promise<unknown>;
  search(database: unknown, question: object): unknown;
}

async function openOrama(memories: readonly IndexedMemory[]): Promise<Side | undefined> {
  const peer = (await loadPeer('@orama/orama')) as Orama | undefined;
  if (!peer) return undefined;
  const database = await peer.create({ schema: { content: 'string' } });
  const startedAt = performance.now();
  await peer.insertMultiple(
    database,
    memories.map(({ id, content }) => ({ id, content })),
    BATCH,
  );
  noteBuild('orama', memories.length, performance.now() - startedAt);
  return {
    name: 'orama, by words',
    timesMs: [],
    ask: async ({ text }) => peer.search(database, { term: text, limit: 10 }),
    close: async () => {},
  };
}

function noteBuild(name: string, size: number, ms: number): void {
  console.log(`${name}: ${size.toLocaleString('en-US')} indexed in ${(ms / 1_000).toFixed(1)} s`);
  figures[`${name}_${size}_build_ms`] = ms;
}

/** All sides get the same question before the next one is asked; the first tenth warms up. */
async function askAll(sides: readonly Side[], questions: readonly Question[]): Promise<void> {
  for (const [number, question] of questions.entries()) {
    for (const side of sides) {
      const startedAt = performance.now();
      await side.ask(question);
      if (number >= questions.length / 10) side.timesMs.push(performance.now() - startedAt);
    }
  }
}

/** How long the main thread was held up while the index was asked, at the 99th percentile. */
async function measureStall(side: Side, questions: readonly Question[]): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (const question of questions) await side.ask(question);
  delay.disable();
  return delay.percentile(99) / 1e6 - 1;
}

/** Of the ten nearest by exact floats, how many are among the ten nearest of the index. */
function measureVectorRecall(
  memories: readonly IndexedMemory[],
  questions: readonly Question[],
): number {
  const table = new VectorTable(DIMENSIONS);
  const vectors = memories.map(({ vectors: [vector = new Float32Array(DIMENSIONS)] }) => vector);
  vectors.forEach((vector, slot) => void table.add(slot, vector));
  const visible = new Uint8Array(vectors.length).fill(1);
  const shares = questions.map(({ vectors: [question = new Float32Array(DIMENSIONS)] }) => {
    const found = new Float32Array(vectors.length).fill(NO_COSINE);
    table.scan([question], visible, { forms: [found], best: found.slice() });
    const nearest = topTen(Float32Array.from(vectors, (vector) => dot(vector, question)));
    const kept = new Set(topTen(found));
    return nearest.filter((slot) => kept.has(slot)).length / 10;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += a[at]! * b[at]!;
  return sum;
}

function topTen(scores: Float32Array): number[] {
  const best = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!);
  return best.slice(0, 10);
}

async function measureSize(size: number): Promise<void> {
  const corpus = createCorpus();
  const memories = Array.from({ length: size }, (_, number) => corpus.memory(number));
  const questions = Array.from({ length: QUESTIONS }, () => corpus.question());
  const index = openThreadIndex();
  const rssBefore = process.memoryUsage().rss;
  const buildMs = await fillIndex(index, memories);
  const grownMb = (process.memoryUsage().rss - rssBefore) / 2 ** 20;
  const hybrid = createOurs(index, 'hybrid', true);
  const keyword = createOurs(index, 'ours, by words', false);
  const peers = [await openMiniSearch(memories), await openOrama(memories)];
  const sides = [hybrid, keyword, ...peers.filter((side) => side !== undefined)];
  await askAll(sides, questions);
  const at = `${size.toLocaleString('en-US')} chunks`;
  const isGoal = size === GOAL_SIZE;
  for (const { name, timesMs } of sides) {
    const isOurs = name === 'hybrid';
    rows.push(
      limitRow(`${name}, ${at}, p50`, median(timesMs), {
        unit: 'ms',
        ...(isGoal && isOurs ? { max: 15 } : {}),
      }),
      limitRow(`${name}, ${at}, p99`, percentile(timesMs, 99), {
        unit: 'ms',
        ...(isGoal && isOurs ? { max: 60 } : {}),
      }),
    );
    figures[`${name.replaceAll(/\W+/g, '_')}_${size}_p50_ms`] = median(timesMs);
  }
  const stallMs = await measureStall(hybrid, questions);
  rows.push(
    limitRow(`main loop held up by searches, ${at}, p99`, stallMs, { unit: 'ms' }),
    limitRow(`index filled, ${at}`, buildMs / 1_000, {
      unit: 's',
      note: `${Math.round((size / buildMs) * 1_000).toLocaleString('en-US')} memories/s with their vectors`,
    }),
    limitRow(`index filled, ${at}, memory`, grownMb, { unit: 'MB', digits: 0 }),
  );
  if (isGoal || isQuick) {
    const missed = 1 - measureVectorRecall(memories, questions.slice(0, 50));
    rows.push(
      limitRow(`nearest ten that int8 misses, ${at}`, missed, { unit: '', digits: 4, max: 0.01 }),
    );
  }
  await index.close();
}

function ingestRow(what: string, { perSecond, processorMs }: IngestRate): Row {
  const note = `${processorMs.toFixed(2)} ms of the server's processor time each`;
  return { ...rateRow(what, perSecond, GOAL_INGEST), note };
}

async function measureTakingIn(): Promise<void> {
  const { batched, single, embedded, firstSearchMs, stored } = await measureIngest(
    isQuick
      ? { batches: 2, singleMs: 500, embeddingMs: 1_000 }
      : { batches: 40, singleMs: 3_000, embeddingMs: 8_000 },
  );
  rows.push(
    ingestRow('ingest, 500 in a request', batched),
    ingestRow('ingest, one in a request, 32 clients', single),
    limitRow(`first search after a restart, ${whole(stored)} chunks`, firstSearchMs, {
      unit: 'ms',
      digits: 0,
      note: 'reads all of them from the store and makes the index',
    }),
    limitRow('texts embedded by the local model', embedded, { unit: '/s', digits: 0 }),
  );
}

if (peersDir === undefined)
  console.log('minisearch, orama: not measured, no --peers DIR was given');
for (const size of SIZES) await measureSize(size);
await measureTakingIn();
printReport({ bench: 'memory', rows, figures });
