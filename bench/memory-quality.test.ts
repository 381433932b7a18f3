import { resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../src/core/clock.ts';
import { silentLogger } from '../src/core/log.ts';
import { createLocalEmbedder } from '../src/embeddings/local/local-embedder.ts';
import { type Embed, indexDialogues, type Mode, measureRecall } from './support/memory-recall.ts';
import { OWN_DIALOGUES } from './support/own-dialogues.ts';

const embedder = createLocalEmbedder({
  model: 'local/use-lite',
  idleMs: 60_000,
  clock: systemClock,
  logger: silentLogger,
  folder: resolve('dist'),
});
afterAll(() => embedder.close());

const embed: Embed = (texts) => embedder.embed(texts, 'document', new AbortController().signal);

/** A little below what is reached: these say that something broke. */
const FLOORS: readonly (readonly [Mode, number])[] = [
  ['keyword', 0.9],
  ['hybrid', 0.93],
];

test.each(FLOORS)('%s search finds what answers our own questions', async (mode, floor) => {
  const given = mode === 'keyword' ? undefined : embed;
  const holdings = await indexDialogues(OWN_DIALOGUES, given);

  const recalls = await measureRecall(holdings, OWN_DIALOGUES, { mode, embed: given });

  const mean = recalls.reduce((sum, { turns }) => sum + turns, 0) / recalls.length;
  expect(recalls.length).toBeGreaterThan(40);
  expect(mean).toBeGreaterThanOrEqual(floor);
});
