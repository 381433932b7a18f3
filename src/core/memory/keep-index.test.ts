import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { RuntimeError } from '../errors.ts';
import type { MemoryId } from '../ids.ts';
import { silentLogger } from '../log.ts';
import { createIndexKeeper } from './keep-index.ts';
import type { IndexChange, MemoryIndex } from './memory-index.ts';
import type { MemoryChange } from './memory-store.ts';

const IDLE_MS = 1_000;
const ended = () => new RuntimeError('storage_unavailable', 'the index of memories ended');
const removal = (revision: number): MemoryChange => ({
  change: 'remove',
  revision,
  id: `mem_${revision}` as MemoryId,
});

interface FakeIndex extends MemoryIndex {
  readonly applied: IndexChange[];
  isOpen: boolean;
}

/** Revisions that count up without gaps, and indexes that note what they were told. */
function openKeeper({
  revisions = 0,
  onPage = () => {},
}: {
  revisions?: number;
  onPage?: () => void;
} = {}) {
  const state = { revision: revisions, purgedThrough: 0, model: 'a' as string | undefined };
  const indexes: FakeIndex[] = [];
  const clock = new ManualClock();
  const keeper = createIndexKeeper({
    store: {
      head: async () => ({
        revision: state.revision,
        memories: 0,
        purgedThrough: state.purgedThrough,
      }),
      async changes(after, limit) {
        onPage();
        const size = Math.min(limit, state.revision - after);
        return Array.from({ length: size }, (_, index) => removal(after + index + 1));
      },
    },
    async openIndex() {
      const index: FakeIndex = {
        applied: [],
        isOpen: true,
        async apply(changes) {
          if (!index.isOpen) throw ended();
          index.applied.push(...changes);
        },
        prepare: async () => [],
        async search() {
          if (!index.isOpen) throw ended();
          return [];
        },
        async close() {
          index.isOpen = false;
        },
      };
      indexes.push(index);
      return index;
    },
    toIndexChanges: async (changes) =>
      changes.map((one) => ({
        change: 'remove',
        id: one.change === 'put' ? one.memory.id : one.id,
      })),
    model: () => state.model,
    clock,
    logger: silentLogger,
    idleMs: IDLE_MS,
  });
  const search = () =>
    keeper.use(async (index) => {
      await index.search({} as never);
      return indexes.indexOf(index as FakeIndex);
    });
  return { keeper, indexes, state, clock, search };
}

test('searches at once share one index, which takes in each change once', async () => {
  const { indexes, state, search } = openKeeper({ revisions: 1_200 });

  const used = await Promise.all([search(), search(), search()]);
  state.revision = 1_203;
  await Promise.all([search(), search()]);

  expect(used).toEqual([0, 0, 0]);
  expect(indexes).toHaveLength(1);
  expect(indexes[0]?.applied.map((change) => change.change === 'remove' && change.id)).toEqual(
    Array.from({ length: 1_203 }, (_, index) => `mem_${index + 1}`),
  );
});

test('one that ended is made anew, and whoever was at work with it gets an answer', async () => {
  const { indexes, search } = openKeeper({ revisions: 3 });
  await search();
  if (indexes[0]) indexes[0].isOpen = false;

  const used = await Promise.all([search(), search(), search()]);

  expect(used).toEqual([1, 1, 1]);
  expect(indexes).toHaveLength(2);
  expect(indexes[1]?.applied).toHaveLength(3);
});

test('one that ends while it takes changes in begins anew', async () => {
  const { indexes, state, search } = openKeeper({ revisions: 3 });
  await search();
  if (indexes[0]) indexes[0].isOpen = false;
  state.revision = 5;

  expect(await search()).toBe(1);
  expect(indexes[1]?.applied).toHaveLength(5);
});

test('a fault that stays is told after a second try, and any other at once', async () => {
  const { keeper, indexes } = openKeeper();
  let tries = 0;
  const failing = (error: Error) =>
    keeper.use(async () => {
      tries += 1;
      throw error;
    });

  await expect(failing(ended())).rejects.toThrow('ended');
  expect(tries).toBe(2);
  await expect(failing(new RuntimeError('internal', 'a bug'))).rejects.toThrow('a bug');
  expect(tries).toBe(3);
  expect(indexes.map(({ isOpen }) => isOpen)).toEqual([false, false, false]);
});

test('it begins anew when removals it has not seen may be forgotten, or with another model', async () => {
  const { indexes, state, search } = openKeeper({ revisions: 3 });
  await search();
  Object.assign(state, { revision: 9, purgedThrough: 4 });
  expect(await search()).toBe(1);
  expect(await search()).toBe(1);
  state.model = 'b';
  expect(await search()).toBe(2);
  expect(indexes.map(({ isOpen }) => isOpen)).toEqual([false, false, true]);
});

test('it is closed when nobody uses it', async () => {
  const { indexes, clock, search } = openKeeper();
  await search();
  clock.advance(IDLE_MS - 1);
  expect(indexes[0]?.isOpen).toBe(true);
  clock.advance(1);
  await expect.poll(() => indexes[0]?.isOpen).toBe(false);
  expect(clock.pendingTimers).toBe(0);
});

test('closing ends the reading of a large store, and nothing is opened afterwards', async () => {
  let pages = 0;
  let closing: Promise<void> | undefined;
  const opened = openKeeper({
    revisions: 100_000,
    onPage() {
      pages += 1;
      if (pages === 2) closing = opened.keeper.close();
    },
  });

  await expect(opened.search()).rejects.toMatchObject({ code: 'shutting_down' });
  await closing;

  expect(pages).toBe(2);
  await expect(opened.search()).rejects.toThrow('the index of memories is closed');
  expect(opened.indexes.map(({ isOpen }) => isOpen)).toEqual([false]);
  expect(opened.clock.pendingTimers).toBe(0);
});
