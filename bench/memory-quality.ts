// How much of what answers a question a search of memories finds: LoCoMo when it is there, and a small set of our own.
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { systemClock } from '../src/core/clock.ts';
import { silentLogger } from '../src/core/log.ts';
import { createLocalEmbedder } from '../src/embeddings/local/local-embedder.ts';
import { type Dialogue, findLocomo, readLocomo, WHERE_IT_IS } from './support/dialogues.ts';
import { fitWeights } from './support/fit-weights.ts';
import {
  indexDialogues,
  type Mode,
  measureQuestions,
  measureRecall,
  type Recall,
} from './support/memory-recall.ts';
import { readOptions } from './support/options.ts';
import { OWN_DIALOGUES } from './support/own-dialogues.ts';
import { judge, printReport, type Row } from './support/report.ts';
import { percentile } from './support/statistics.ts';
import { openVectorCache } from './support/vector-cache.ts';

const MODES: readonly Mode[] = ['keyword', 'vector', 'hybrid'];
/** Weights are fitted on the first half; the second is never looked at for that. */
const TUNED = 5;
const GOALS = { turns: 88, sessions: 97 };

const { isQuick } = readOptions();
const data = findLocomo(process.env['PINCER_BENCH_DATA']);
const isFitting = process.env['PINCER_BENCH_FIT'] === '1';

const embedder = createLocalEmbedder({
  model: 'local/use-lite',
  idleMs: 60_000,
  clock: systemClock,
  logger: silentLogger,
  folder: resolve('dist'),
});
const cache = openVectorCache({
  folder: join(tmpdir(), 'pincer-bench-vectors'),
  model: embedder.model,
  embed: (texts) => embedder.embed(texts, 'document', new AbortController().signal),
});
const embed = cache.embed;

const rows: Row[] = [];
const figures: Record<string, number> = {};

function average(recalls: readonly Recall[], what: 'turns' | 'sessions' | 'ms'): number {
  return recalls.reduce((sum, recall) => sum + recall[what], 0) / recalls.length;
}

function addRow(what: string, recalls: readonly Recall[], goals?: typeof GOALS): void {
  const turns = 100 * average(recalls, 'turns');
  const sessions = 100 * average(recalls, 'sessions');
  const times = recalls.map(({ ms }) => ms);
  const isMet = goals && turns >= goals.turns && sessions >= goals.sessions;
  rows.push({
    what,
    measured: `${turns.toFixed(1)} / ${sessions.toFixed(1)}`,
    goal: goals ? `≥ ${goals.turns} / ${goals.sessions}` : '-',
    verdict: judge(false, isMet),
    note: `${recalls.length} questions, ${percentile(times, 50).toFixed(2)} ms each (p99 ${percentile(times, 99).toFixed(1)})`,
  });
  const name = what.replaceAll(/[^a-z0-9]+/gi, '_');
  figures[`${name}_turns`] = turns;
  figures[`${name}_sessions`] = sessions;
}

async function measureSet(name: string, dialogues: readonly Dialogue[]): Promise<void> {
  const holdings = await indexDialogues(dialogues, embed);
  for (const mode of MODES) {
    const recalls = await measureRecall(holdings, dialogues, { mode, embed });
    const isWhole = name === 'LoCoMo' && !isQuick;
    addRow(`${name}, ${mode}`, recalls, isWhole && mode === 'hybrid' ? GOALS : undefined);
    if (!isWhole) continue;
    addRow(
      `${name} 1–5, ${mode}`,
      recalls.filter(({ dialogue }) => dialogue < TUNED),
    );
    addRow(
      `${name} 6–10, ${mode}`,
      recalls.filter(({ dialogue }) => dialogue >= TUNED),
    );
    if (mode !== 'hybrid') continue;
    for (const category of ['1', '2', '3', '4', '5']) {
      addRow(
        `${name}, ${mode}, category ${category}`,
        recalls.filter((recall) => recall.category === category),
      );
    }
  }
}

/** Prints weights fitted on the first half, for `core/memory/ranking/weights.ts`. */
async function showFitted(dialogues: readonly Dialogue[]): Promise<void> {
  const tuned = dialogues.slice(0, TUNED);
  const holdings = await indexDialogues(dialogues, embed);
  for (const [name, given] of [
    ['hybrid', embed],
    ['keyword', undefined],
  ] as const) {
    const weights = fitWeights(await measureQuestions(holdings, tuned, given));
    console.log(name, weights);
    const sets = { hybrid: weights, keyword: weights };
    const mode = name === 'hybrid' ? 'hybrid' : 'keyword';
    const recalls = await measureRecall(holdings, dialogues, { mode, embed, weights: sets });
    addRow(
      `fitted ${name} 1–5`,
      recalls.filter(({ dialogue }) => dialogue < TUNED),
    );
    addRow(
      `fitted ${name} 6–10`,
      recalls.filter(({ dialogue }) => dialogue >= TUNED),
    );
  }
}

console.log('turn / session recall at 10, in per cent');
await measureSet('own', OWN_DIALOGUES);
if (data === undefined) console.log(`LoCoMo: not measured. ${WHERE_IT_IS}`);
else {
  const dialogues = readLocomo(data).slice(0, isQuick ? 1 : undefined);
  if (isFitting) await showFitted(dialogues);
  await measureSet('LoCoMo', dialogues);
}
await embedder.close();
printReport({ bench: 'memory-quality', rows, figures });
