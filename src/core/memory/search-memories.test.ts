import { expect, test } from 'vitest';
import { newMemory } from '../../../test/conformance/memory-rig.ts';
import { systemClock } from '../clock.ts';
import type { MemoryId } from '../ids.ts';
import { silentLogger } from '../log.ts';
import type { MemoryIndex } from './memory-index.ts';
import type { StoredMemory } from './memory-store.ts';
import { searchMemories } from './search-memories.ts';

const MEMORY = { ...newMemory(), accessCount: 0 } as unknown as StoredMemory;
const QUERY = { text: 'tea', filter: { privateAgentIds: [] }, limit: 10 };

/** One memory, found by words alone, and an embedder that never answers. */
function openSearch() {
  const counted: MemoryId[] = [];
  const index: MemoryIndex = {
    apply: async () => {},
    prepare: async ({ text }) => [text],
    search: async ({ vectors }) => (vectors ? [] : [{ id: MEMORY.id, score: 0.5, why: {} }]),
    close: async () => {},
  };
  const deps = {
    store: { findAll: async () => [MEMORY] },
    keeper: { use: <Value>(work: (opened: MemoryIndex) => Promise<Value>) => work(index) },
    accesses: { count: (ids: readonly MemoryId[]) => counted.push(...ids), pendingOf: () => 0 },
    embedQuery: () => () => new Promise<never>(() => {}),
    clock: systemClock,
    logger: silentLogger,
  };
  return { deps, counted };
}

test('an embedder is waited for as long as the caller says, then words alone decide', async () => {
  const { deps, counted } = openSearch();

  const { found, isDegraded } = await searchMemories(deps, { ...QUERY, embedTimeoutMs: 1 });

  expect(isDegraded).toBe(true);
  expect(found.map(({ memory }) => memory.id)).toEqual([MEMORY.id]);
  expect(counted).toEqual([MEMORY.id]);
});

test('what nobody waits for any more was given to nobody', async () => {
  const { deps, counted } = openSearch();

  const searching = searchMemories(deps, { ...QUERY, signal: AbortSignal.abort() });

  await expect(searching).rejects.toThrow('aborted');
  expect(counted).toEqual([]);
});
