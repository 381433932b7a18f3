import { describe, expect, test } from 'vitest';
import type { MemoryId } from '../../src/core/ids.ts';
import type { EmbeddedMemory } from '../../src/core/memory/vector-store.ts';
import type { Storage } from '../../src/core/storage.ts';
import { type OpenStorage, openRig } from './harness.ts';
import { ingest } from './memory-rig.ts';

const MODEL = 'local/test';
const PLACE = { model: MODEL, owner: 'node_a' };
const LEASE_MS = 30_000;
const HOUR_MS = 60 * 60 * 1000;
/** Stored exactly: the largest is 127 steps. */
const VECTOR = Float32Array.of(127, -64, 0);

/** Embeds what one page brings, each memory as so many vectors. */
async function embedPage({ vectors }: Storage, { after = 0, limit = 10, model = MODEL } = {}) {
  const page = await vectors.readPage({ model, after, limit });
  const memories = page.unembedded.map(({ id, digest }) => ({ id, digest, vectors: [VECTOR] }));
  const through = page.through ?? after;
  return vectors.storeVectors({ model, owner: PLACE.owner, memories, through });
}

async function changedIds({ memories }: Storage, after: number): Promise<MemoryId[]> {
  const changes = await memories.changes(after, 100);
  return changes.map((one) => (one.change === 'put' ? one.memory.id : one.id));
}

/** Everything the VectorStore port promises. */
export function describeVectorStore(engine: string, open: OpenStorage): void {
  describeStoring(engine, open);
  describePlaces(engine, open);
}

function describeStoring(engine: string, open: OpenStorage): void {
  describe(`VectorStore on ${engine}`, () => {
    test('pages bring what has no vectors, and what is stored comes back as a change of its memory', async () => {
      const { storage, reopen } = await openRig(open);
      const ids = await ingest(storage, {}, { content: 'a\u0000🦀' }, {});
      const { revision } = await storage.memories.head();
      await storage.vectors.holdPlace({ ...PLACE, leaseMs: LEASE_MS });

      const first = await embedPage(storage, { limit: 2 });

      expect(first).toEqual({ outcome: 'stored', count: 2 });
      expect(await changedIds(storage, revision)).toEqual(ids.slice(0, 2));
      const { vectors } = await reopen();
      expect(await vectors.findVectors(MODEL, ids)).toEqual(
        new Map(ids.slice(0, 2).map((id) => [id, [VECTOR]])),
      );
      expect(await vectors.findVectors('local/other', ids)).toEqual(new Map());
      expect(await vectors.readProgress(MODEL)).toEqual({
        memories: 3,
        embedded: 2,
        isCurrent: false,
      });
      const page = await vectors.readPage({ model: MODEL, after: 0, limit: 10 });
      expect(page.unembedded.map(({ id }) => id)).toEqual(ids.slice(2));
      expect(page.through).toBe(revision + 2);
    });

    test('goes on after a reopen where it was, and is current when all changes were seen', async () => {
      const { storage, reopen } = await openRig(open);
      await ingest(storage, {}, {}, {});
      await storage.vectors.holdPlace({ ...PLACE, leaseMs: LEASE_MS });
      await embedPage(storage, { limit: 2 });

      const again = await reopen();
      const held = await again.vectors.holdPlace({ ...PLACE, leaseMs: LEASE_MS });

      expect(held).toEqual({ outcome: 'held', through: 2 });
      expect(await embedPage(again, { after: 2 })).toEqual({ outcome: 'stored', count: 1 });
      expect(await again.vectors.readProgress(MODEL)).toEqual({
        memories: 3,
        embedded: 3,
        isCurrent: false,
      });
      expect(await embedPage(again, { after: 5 })).toEqual({ outcome: 'stored', count: 0 });
      expect(await again.vectors.readProgress(MODEL)).toMatchObject({ isCurrent: true });
    });

    test('vectors go with their text: by an update, a removal, and not by being read', async () => {
      const { storage, clock } = await openRig(open);
      const ids = await ingest(storage, {}, {}, {});
      const [changed, removed, kept] = ids as [MemoryId, MemoryId, MemoryId];
      await storage.vectors.holdPlace({ ...PLACE, leaseMs: LEASE_MS });
      await embedPage(storage);

      const known = await storage.memories.find(changed);
      if (known) await storage.memories.update(known, { content: 'something else' });
      await storage.memories.remove(removed);
      await storage.memories.countAccesses([{ id: kept, count: 1, atMs: clock.nowMs() }]);

      expect([...(await storage.vectors.findVectors(MODEL, ids)).keys()]).toEqual([kept]);
      const page = await storage.vectors.readPage({ model: MODEL, after: 0, limit: 10 });
      expect(page.unembedded.map(({ id }) => id)).toEqual([changed]);
    });

    test('vectors of a text that was changed meanwhile are not stored', async () => {
      const { storage } = await openRig(open);
      const [changed, removed] = (await ingest(storage, {}, {})) as [MemoryId, MemoryId];
      await storage.vectors.holdPlace({ ...PLACE, leaseMs: LEASE_MS });
      const { unembedded } = await storage.vectors.readPage({ model: MODEL, after: 0, limit: 10 });
      const known = await storage.memories.find(changed);
      if (known) await storage.memories.update(known, { content: 'something else' });
      await storage.memories.remove(removed);

      const memories = unembedded.map((one): EmbeddedMemory => ({ ...one, vectors: [VECTOR] }));
      const stored = await storage.vectors.storeVectors({ ...PLACE, memories, through: 2 });

      expect(stored).toEqual({ outcome: 'stored', count: 0 });
      expect(await storage.vectors.findVectors(MODEL, [changed, removed])).toEqual(new Map());
    });

    test('a text that the model refuses is done, without vectors', async () => {
      const { storage } = await openRig(open);
      const [id] = (await ingest(storage, {})) as [MemoryId];
      await storage.vectors.holdPlace({ ...PLACE, leaseMs: LEASE_MS });
      const { unembedded } = await storage.vectors.readPage({ model: MODEL, after: 0, limit: 10 });

      const memories = unembedded.map((one): EmbeddedMemory => ({ ...one, vectors: [] }));
      await storage.vectors.storeVectors({ ...PLACE, memories, through: 1 });

      expect(await storage.vectors.findVectors(MODEL, [id])).toEqual(new Map([[id, []]]));
      const page = await storage.vectors.readPage({ model: MODEL, after: 0, limit: 10 });
      expect(page.unembedded).toEqual([]);
    });

    test('vectors of another length than the first ones are refused', async () => {
      const { storage } = await openRig(open);
      await ingest(storage, {}, {});
      await storage.vectors.holdPlace({ ...PLACE, leaseMs: LEASE_MS });
      await embedPage(storage, { limit: 1 });
      const { unembedded } = await storage.vectors.readPage({ model: MODEL, after: 1, limit: 10 });

      const memories = unembedded.map((one) => ({ ...one, vectors: [Float32Array.of(1, 0)] }));
      const result = await storage.vectors.storeVectors({ ...PLACE, memories, through: 2 });

      expect(result).toEqual({ outcome: 'wrong_dimensions', expected: 3 });
    });
  });
}

function describePlaces(engine: string, open: OpenStorage): void {
  describe(`VectorStore places on ${engine}`, () => {
    test('one node embeds with a model, until it lets go or its lease ends', async () => {
      const { storage, clock, openBeside } = await openRig(open);
      const beside = await openBeside();
      await ingest(storage, {});
      const other = { model: MODEL, owner: 'node_b', leaseMs: LEASE_MS };

      const race = await Promise.all([
        storage.vectors.holdPlace({ ...PLACE, leaseMs: LEASE_MS }),
        beside.vectors.holdPlace(other),
      ]);
      expect(race.map(({ outcome }) => outcome).sort()).toEqual(['held', 'taken']);

      clock.advance(LEASE_MS);
      expect(await beside.vectors.holdPlace(other)).toMatchObject({ outcome: 'held' });
      expect(await embedPage(storage)).toEqual({ outcome: 'lost_place' });
      expect(await storage.vectors.holdPlace({ ...PLACE, leaseMs: 1 })).toEqual({
        outcome: 'taken',
      });

      await beside.vectors.releasePlace(other);
      await storage.vectors.releasePlace(other);
      expect(await storage.vectors.holdPlace({ ...PLACE, leaseMs: LEASE_MS })).toMatchObject({
        outcome: 'held',
      });
      expect(await embedPage(storage)).toEqual({ outcome: 'stored', count: 1 });
    });

    test('another model begins anew, and the vectors of one that nobody uses go', async () => {
      const { storage, clock } = await openRig(open);
      const ids = await ingest(storage, {}, {});
      await storage.vectors.holdPlace({ ...PLACE, leaseMs: LEASE_MS });
      await embedPage(storage);
      const next = { model: 'local/next', owner: PLACE.owner };

      expect(await storage.vectors.holdPlace({ ...next, leaseMs: LEASE_MS })).toEqual({
        outcome: 'held',
        through: 0,
      });
      await embedPage(storage, { model: next.model });
      expect(await storage.vectors.removeOthers(next.model)).toBe(false);
      expect((await storage.vectors.findVectors(MODEL, ids)).size).toBe(2);

      clock.advance(LEASE_MS + HOUR_MS);
      expect(await storage.vectors.removeOthers(next.model)).toBe(true);
      expect(await storage.vectors.removeOthers(next.model)).toBe(false);
      expect((await storage.vectors.findVectors(MODEL, ids)).size).toBe(0);
      expect((await storage.vectors.findVectors(next.model, ids)).size).toBe(2);
      expect(await storage.vectors.holdPlace({ ...PLACE, leaseMs: LEASE_MS })).toEqual({
        outcome: 'held',
        through: 0,
      });
    });
  });
}
