import { expect, test } from 'vitest';
import type { IndexChange, MemoryIndex } from '../../src/core/memory/memory-index.ts';
import { openThreadIndex } from '../../src/memory-index/open-thread-index.ts';
import { createIndexedMemory, EVERYBODY } from './indexed-memory.ts';

async function withIndex(work: (index: MemoryIndex) => Promise<void>): Promise<void> {
  const index = openThreadIndex();
  try {
    await work(index);
  } finally {
    await index.close();
  }
}

function manyChanges(count: number): IndexChange[] {
  const all = new Float32Array(count * 8).fill(0.1);
  return Array.from({ length: count }, (_, number) => ({
    change: 'put',
    memory: createIndexedMemory({
      id: `m${number}`,
      content: `Ana: number${number} of many`,
      // A part of something large, which must not travel with each.
      vectors: [all.subarray(number * 8, number * 8 + 8)],
    }),
  }));
}

test('finds in its thread what was put there, by word and by meaning', () =>
  withIndex(async (index) => {
    await index.apply(manyChanges(1_200));
    const query = { text: 'What is number700 of Ana?', filter: EVERYBODY };

    const forms = await index.prepare(query);
    const vectors = forms.map(() => new Float32Array(8).fill(0.1));
    const found = await index.search({ ...query, vectors, limit: 3, nowMs: 0 });

    expect(forms).toEqual(['What is number700 of me?', 'number700 of me']);
    expect(found[0]).toMatchObject({ id: 'm700', why: { keyword: expect.any(Number) } });
    expect(found).toHaveLength(3);
  }));

test('refuses whatever waits and whatever comes once it is closed', () =>
  withIndex(async (index) => {
    const applied = index.apply(manyChanges(2_000));
    const refused = expect(applied).rejects.toMatchObject({ code: 'storage_unavailable' });
    await index.close();

    await refused;
    await expect(index.prepare({ text: 'a', filter: EVERYBODY })).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
  }));

test('tells of what it could not do and goes on', () =>
  withIndex(async (index) => {
    const broken = { change: 'put', memory: { vectors: [] } } as unknown as IndexChange;

    await expect(index.apply([broken])).rejects.toMatchObject({ code: 'internal' });
    await index.apply(manyChanges(1));
    const query = { text: 'many', filter: EVERYBODY, vectors: undefined, limit: 1, nowMs: 0 };
    expect(await index.search(query)).toMatchObject([{ id: 'm0' }]);
  }));
