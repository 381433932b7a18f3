import { expect, onTestFinished, test } from 'vitest';
import { newMemory } from '../../../test/conformance/memory-rig.ts';
import { createMemoryTables, stubQuery } from '../../../test/support/memory-tables.ts';
import { passTime, settled } from '../../../test/support/pass-time.ts';
import { RuntimeError } from '../errors.ts';
import { silentLogger } from '../log.ts';
import type { Embedder } from './embedder.ts';
import { createEmbeddingQueue } from './embedding-queue.ts';
import { MEMORIES, MEMORIES_BY_DIGEST, MEMORY_HEAD } from './memory-rows.ts';
import { createMemoryStore } from './stored-memories.ts';
import {
  createVectorStore,
  EMBEDDING_COUNTS,
  MEMORY_EMBEDDERS,
  MEMORY_VECTORS,
  WALKED_MEMORIES,
} from './stored-vectors.ts';

const STUBS = [
  stubQuery(WALKED_MEMORIES, ({ model, after, limit }, { rows }) =>
    rows(MEMORIES)
      .filter(({ revision }) => revision > after)
      .sort((a, b) => a.revision - b.revision)
      .slice(0, limit)
      .map(({ id, content, digest, revision }) => ({
        ...{ id, content, digest, revision },
        isDone: rows(MEMORY_VECTORS).some((row) => row.model === model && row.memoryId === id),
      })),
  ),
  stubQuery(EMBEDDING_COUNTS, ({ model }, { rows }) => [
    {
      memories: rows(MEMORY_HEAD)[0]?.memories ?? 0,
      embedded: rows(MEMORY_VECTORS).filter((row) => row.model === model).length,
      revision: rows(MEMORY_HEAD)[0]?.revision ?? 0,
      through: rows(MEMORY_EMBEDDERS).find((row) => row.model === model)?.through ?? 0,
    },
  ]),
];

const HOUR_MS = 60 * 60 * 1000;
function openStore() {
  const tables = createMemoryTables(STUBS, [{ view: MEMORIES_BY_DIGEST, of: MEMORIES }]);
  const memories = createMemoryStore(tables);
  return {
    clock: tables.clock,
    memories,
    vectors: createVectorStore(tables),
    async ingest(...contents: string[]) {
      const drafts = contents.map((content) => newMemory({ content }));
      await memories.ingest(drafts);
      return drafts.map(({ id }) => id);
    },
  };
}

type TestStore = ReturnType<typeof openStore>;

/** Answers as it is told, and writes down what it was asked. */
function fakeEmbedder(embed: (text: string) => Float32Array = () => Float32Array.of(1)) {
  const asked: string[] = [];
  const answer: Embedder['embed'] = async (texts) => {
    await settled();
    asked.push(...texts);
    return texts.map(embed);
  };
  return { asked, model: 'local/fake', embed: answer };
}

function startQueue(store: TestStore, embedder: () => Embedder | undefined, owner = 'node_a') {
  const queue = createEmbeddingQueue({
    store: store.vectors,
    memories: store.memories,
    configured: () => {
      const now = embedder();
      return now && { model: now.model, open: async () => now };
    },
    toText: (content) => content,
    owner,
    clock: store.clock,
    logger: silentLogger,
  });
  queue.start();
  onTestFinished(() => queue.stop());
  return queue;
}

/** Lets it work until nothing more happens. */
async function pass(store: TestStore, ms = 1_000): Promise<void> {
  await passTime(store.clock, ms);
  for (let turn = 0; turn < 50; turn += 1) await settled();
}

test('embeds what is there and what comes, each once, long texts in pieces', async () => {
  const store = openStore();
  const embedder = fakeEmbedder();
  await store.ingest('one', 'word '.repeat(200));
  const queue = startQueue(store, () => embedder);

  expect(await queue.status()).toMatchObject({ memories: 2, embedded: 0, pending: 2 });
  await pass(store);
  expect(await queue.status()).toMatchObject({ model: 'local/fake', embedded: 2, pending: 0 });
  await store.ingest('three');
  queue.wake();
  await pass(store, 0);

  expect(await queue.status()).toMatchObject({ embedded: 3, pending: 0, error: undefined });
  expect(embedder.asked.filter((text) => text === 'one')).toEqual(['one']);
  expect(embedder.asked).toHaveLength(5);
});

test('asks nothing of a store without news, and loads no embedder for it', async () => {
  const store = openStore();
  let opened = 0;
  const queue = createEmbeddingQueue({
    store: store.vectors,
    memories: store.memories,
    configured: () => ({
      model: 'local/fake',
      open: async () => {
        opened += 1;
        return fakeEmbedder();
      },
    }),
    toText: (content) => content,
    owner: 'node_a',
    clock: store.clock,
    logger: silentLogger,
  });
  queue.start();
  await pass(store, HOUR_MS);
  await queue.stop();

  expect(opened).toBe(0);
});

test('an embedder that is down is tried again, less and less often, and nothing is lost', async () => {
  const store = openStore();
  let isDown = true;
  let attempts = 0;
  const embedder = fakeEmbedder(() => {
    attempts += 1;
    if (isDown) throw new RuntimeError('provider_failed', 'nobody there');
    return Float32Array.of(1);
  });
  await store.ingest('one');
  const queue = startQueue(store, () => embedder);
  for (let second = 0; second < 60; second += 1) await pass(store, 1_000);

  expect(attempts).toBeLessThan(10);
  expect(await queue.status()).toMatchObject({
    pending: 1,
    error: { code: 'provider_failed', message: 'nobody there' },
  });

  isDown = false;
  await pass(store, 5 * 60_000);
  expect(await queue.status()).toMatchObject({ pending: 0, embedded: 1, error: undefined });
});

test('vectors of another length than before are a fault, and are not stored', async () => {
  const store = openStore();
  let length = 3;
  const embedder = fakeEmbedder(() => new Float32Array(length).fill(1));
  await store.ingest('one');
  const queue = startQueue(store, () => embedder);
  await pass(store);

  length = 4;
  await store.ingest('two');
  queue.wake();
  await pass(store, 0);

  expect(await queue.status()).toMatchObject({
    embedded: 1,
    pending: 1,
    error: { code: 'provider_failed', message: expect.stringContaining('another length') },
  });
});

test('a text that the embedder refuses does not keep others from being embedded', async () => {
  const refusal = new RuntimeError('provider_failed', 'too long', {
    retryable: false,
    details: { status: 400 },
  });
  const store = openStore();
  const embedder = fakeEmbedder((text) => {
    if (text === 'bad') throw refusal;
    return Float32Array.of(1);
  });
  const ids = await store.ingest('one', 'bad', 'three');
  const queue = startQueue(store, () => embedder);
  await pass(store);

  expect(await queue.status()).toMatchObject({ embedded: 3, pending: 0, error: undefined });
  const vectors = await store.vectors.findVectors('local/fake', ids);
  expect(ids.map((id) => vectors.get(id)?.length)).toEqual([1, 0, 1]);
});

test('an embedder that refuses everything blames no text', async () => {
  const store = openStore();
  const embedder = fakeEmbedder(() => {
    const details = { status: 400 };
    throw new RuntimeError('provider_failed', 'no such model', { retryable: false, details });
  });
  await store.ingest('one', 'two');
  const queue = startQueue(store, () => embedder);
  await pass(store);

  expect(await queue.status()).toMatchObject({
    embedded: 0,
    pending: 2,
    error: { message: 'no such model' },
  });
});

test('of two nodes one embeds, and when it dies in the middle the other goes on', async () => {
  const store = openStore();
  const stuck = { ...fakeEmbedder(), embed: () => new Promise<never>(() => {}) };
  const other = fakeEmbedder();
  await store.ingest('one', 'two');
  const dead = createEmbeddingQueue({
    store: store.vectors,
    memories: store.memories,
    configured: () => ({ model: stuck.model, open: async () => stuck }),
    toText: (content) => content,
    owner: 'node_dead',
    clock: store.clock,
    logger: silentLogger,
  });
  dead.start();
  await pass(store);

  const queue = startQueue(store, () => other, 'node_b');
  await pass(store);
  expect(other.asked).toEqual([]);

  for (let minute = 0; minute < 5; minute += 1) await pass(store, 30_000);
  expect(other.asked).toEqual(['one', 'two']);
  expect(await queue.status()).toMatchObject({ embedded: 2, pending: 0 });
});

test('another model embeds everything anew; the vectors of the old one go when they are not used', async () => {
  const store = openStore();
  const first = fakeEmbedder();
  const second = { ...fakeEmbedder(), model: 'local/second' };
  let current: Embedder = first;
  const ids = await store.ingest('one', 'two');
  const queue = startQueue(store, () => current);
  await pass(store);

  current = second;
  await pass(store, 30_000);
  expect(await queue.status()).toMatchObject({ model: 'local/second', embedded: 2, pending: 0 });
  expect((await store.vectors.findVectors(first.model, ids)).size).toBe(2);

  for (let hour = 0; hour < 3; hour += 1) await pass(store, HOUR_MS);
  expect((await store.vectors.findVectors(first.model, ids)).size).toBe(0);
  expect((await store.vectors.findVectors(second.model, ids)).size).toBe(2);
});

test('without an embedder nothing is pending', async () => {
  const store = openStore();
  await store.ingest('one');
  const queue = startQueue(store, () => undefined);
  await pass(store);

  expect(await queue.status()).toMatchObject({ model: undefined, memories: 1, pending: 0 });
});
