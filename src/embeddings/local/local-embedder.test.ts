import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { type Clock, systemClock } from '../../core/clock.ts';
import { silentLogger } from '../../core/log.ts';
import { createLocalEmbedder, type LocalEmbedder } from './local-embedder.ts';

const NEVER = new AbortController().signal;
const open: LocalEmbedder[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const embedder of open.splice(0)) await embedder.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function openEmbedder(config: { folder?: string; clock?: Clock } = {}): LocalEmbedder {
  const defaults = {
    model: 'local/use-lite',
    idleMs: 60_000,
    clock: systemClock,
    logger: silentLogger,
  };
  const embedder = createLocalEmbedder({ ...defaults, ...config });
  open.push(embedder);
  return embedder;
}

/** A thread that does what is written here instead of embedding. */
function fakeThread(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'embedding-'));
  folders.push(folder);
  writeFileSync(join(folder, 'use-lite.bin'), '');
  writeFileSync(
    join(folder, 'embedding-thread.cjs'),
    `const { parentPort } = require('node:worker_threads');
     const answer = (texts) => parentPort.postMessage({ vectors: texts.map((text) => Float32Array.of(Number(text))) });
     parentPort.on('message', ({ texts }) => { ${source} });`,
  );
  return folder;
}

test('finds the text that means the same', async () => {
  const embedder = openEmbedder();
  const texts = ['The deploy failed because the disk was full.', 'He paints landscapes in oil.'];

  const [first = [], second = []] = await embedder.embed(texts, 'document', NEVER);
  const [question = []] = await embedder.embed(['Why did the release break?'], 'query', NEVER);

  expect(dot(question, first)).toBeGreaterThan(dot(question, second) + 0.1);
});

test('a thread that ended for want of work starts again with the next text', async () => {
  const clock = new ManualClock();
  const embedder = openEmbedder({ clock });

  const first = await embedder.embed(['one'], 'query', NEVER);
  clock.advance(60_000);
  const second = await embedder.embed(['one'], 'query', NEVER);

  expect(second).toEqual(first);
});

test('a thread that dies fails the request it worked on, and the others go on in a new one', async () => {
  const folder = fakeThread(`if (texts[0] === '13') process.exit(1); answer(texts);`);
  const embedder = openEmbedder({ folder });

  const [failed, ...others] = await Promise.allSettled(
    ['13', '2', '3'].map((text) => embedder.embed([text], 'document', NEVER)),
  );

  expect(failed).toMatchObject({ status: 'rejected', reason: { code: 'provider_failed' } });
  expect(others).toMatchObject([
    { status: 'fulfilled', value: [Float32Array.of(2)] },
    { status: 'fulfilled', value: [Float32Array.of(3)] },
  ]);
});

test('questions come before documents, between two batches', async () => {
  const folder = fakeThread('answer(texts);');
  const embedder = openEmbedder({ folder });
  const order: string[] = [];

  const documents = Array.from({ length: 40 }, (_, index) => String(index));
  const many = embedder.embed(documents, 'document', NEVER).then((vectors) => {
    order.push('documents');
    return vectors;
  });
  await embedder.embed(['7'], 'query', NEVER).then(() => order.push('query'));

  expect((await many).map(([value]) => value)).toEqual(documents.map(Number));
  expect(order).toEqual(['query', 'documents']);
});

test('a request that is given up ends at once and the next one is answered', async () => {
  const folder = fakeThread(
    `if (texts[0] !== '1') answer(texts); else setTimeout(answer, 20, texts);`,
  );
  const embedder = openEmbedder({ folder });
  const abort = new AbortController();

  const given = embedder.embed(['1'], 'document', abort.signal);
  const next = embedder.embed(['2'], 'document', NEVER);
  abort.abort(new Error('no longer needed'));

  await expect(given).rejects.toThrow('no longer needed');
  expect(await next).toEqual([Float32Array.of(2)]);
});

test('more texts than it can soon do are refused', async () => {
  const embedder = openEmbedder({ folder: fakeThread('') });
  const many = Array.from({ length: 4096 }, () => '1');

  const requests = [many, ['1']].map((texts) => embedder.embed(texts, 'document', NEVER));
  const outcomes = Promise.allSettled(requests);
  await embedder.close();

  expect(await outcomes).toMatchObject([
    { reason: { code: 'shutting_down' } },
    { reason: { code: 'provider_failed' } },
  ]);
});

test('a missing or broken model is told with what to do, and again with every request', async () => {
  const folder = fakeThread('');
  rmSync(join(folder, 'use-lite.bin'));
  const missing = openEmbedder({ folder });
  const broken = openEmbedder({ folder: fakeThread('') });
  copyFileSync(
    new URL('../../../dist/embedding-thread.cjs', import.meta.url),
    join(folders.at(-1) ?? '', 'embedding-thread.cjs'),
  );

  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(missing.embed(['a'], 'query', NEVER)).rejects.toMatchObject({
      code: 'provider_misconfigured',
      message: expect.stringContaining('use-lite.bin is missing'),
    });
    await expect(broken.embed(['a'], 'query', NEVER)).rejects.toMatchObject({
      code: 'provider_failed',
    });
  }
});

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a).reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
