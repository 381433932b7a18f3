import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { newMemory } from '../../../test/conformance/memory-rig.ts';
import { createMemoryTables, stubQuery } from '../../../test/support/memory-tables.ts';
import { MEMORIES, MEMORIES_BY_DIGEST } from './memory-rows.ts';
import { createMemoryStore } from './stored-memories.ts';
import { createVectorStore, MEMORY_VECTORS, WALKED_MEMORIES } from './stored-vectors.ts';

const MODEL = 'local/test';

const STUBS = [
  stubQuery(WALKED_MEMORIES, ({ model, after, limit }, { rows }) => {
    const known = new Set(
      rows(MEMORY_VECTORS).flatMap((row) => (row.model === model ? [row.memoryId] : [])),
    );
    return rows(MEMORIES)
      .filter(({ revision }) => revision > after)
      .sort((a, b) => a.revision - b.revision)
      .slice(0, limit)
      .map(({ id, content, digest, revision }) => ({
        ...{ id, content, digest, revision },
        isDone: known.has(id),
      }));
  }),
];

function openStores() {
  const tables = createMemoryTables(STUBS, [{ view: MEMORIES_BY_DIGEST, of: MEMORIES }]);
  return { tables, memories: createMemoryStore(tables), vectors: createVectorStore(tables) };
}

type Stores = ReturnType<typeof openStores>;

async function ingest({ memories }: Stores): Promise<void> {
  await memories.ingest([newMemory()]);
}

/** A node reads a page at one moment and stores it at another, if it lives that long. */
async function readPage({ vectors }: Stores, owner: string) {
  const place = await vectors.holdPlace({ model: MODEL, owner, leaseMs: 1_000 });
  if (place.outcome === 'taken') return undefined;
  const page = await vectors.readPage({ model: MODEL, after: place.through, limit: 2 });
  return { owner, page, after: place.through };
}

async function storePage(
  { vectors }: Stores,
  read: NonNullable<Awaited<ReturnType<typeof readPage>>>,
) {
  const { owner, page, after } = read;
  const memories = page.unembedded.map((one) => ({ ...one, vectors: [Float32Array.of(1)] }));
  await vectors.storeVectors({ model: MODEL, owner, memories, through: page.through ?? after });
}

const step = fc.oneof(
  fc.record({ does: fc.constant('ingest' as const) }),
  fc.record({ does: fc.constant('wait' as const) }),
  fc.record({ does: fc.constantFrom('read' as const, 'store' as const), node: fc.nat(1) }),
);

test('whatever two nodes do and however they die, every memory has its vectors in the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const stores = openStores();
      const pages: Awaited<ReturnType<typeof readPage>>[] = [];
      for (const one of steps) {
        if (one.does === 'ingest') await ingest(stores);
        else if (one.does === 'wait') stores.tables.clock.advance(1_000);
        else if (one.does === 'read') pages[one.node] = await readPage(stores, `node_${one.node}`);
        else {
          const read = pages[one.node];
          if (read) await storePage(stores, read);
        }
      }

      stores.tables.clock.advance(1_000);
      for (;;) {
        const read = await readPage(stores, 'node_last');
        if (read?.page.through === undefined) break;
        await storePage(stores, read);
      }

      const embedded = stores.tables.rows(MEMORY_VECTORS).map(({ memoryId }) => memoryId);
      expect(embedded.sort()).toEqual(
        stores.tables
          .rows(MEMORIES)
          .map(({ id }) => id)
          .sort(),
      );
    }),
  );
});
