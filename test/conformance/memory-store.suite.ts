import { describe, expect, test } from 'vitest';
import type { AgentId, MemoryId } from '../../src/core/ids.ts';
import { AGENT, type OpenStorage, openRig } from './harness.ts';
import { ingest, newMemory } from './memory-rig.ts';

const ODD = 'a\u0000b 🦀 "c" \'; drop table memories; -- NEAR(* %';
const OTHER = 'agent_other' as AgentId;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Everything the MemoryStore port promises. */
export function describeMemoryStore(engine: string, open: OpenStorage): void {
  describeIngest(engine, open);
  describeReads(engine, open);
  describeUpdates(engine, open);
  describeRemovals(engine, open);
}

function describeIngest(engine: string, open: OpenStorage): void {
  describe(`MemoryStore.ingest on ${engine}`, () => {
    test('keeps any text over a reopen', async () => {
      const { storage, clock, reopen } = await openRig(open);
      const given = newMemory({
        content: ODD.repeat(1_000),
        projectId: ODD.slice(2),
        sessionId: ODD,
        source: ODD,
        tags: [ODD, 'b'],
        extra: { lang: ODD, deep: { list: [1, null, true] } },
        timestampMs: -1,
        key: ODD,
      });

      const result = await storage.memories.ingest([given]);

      const { key: _, ...fields } = given;
      const nowMs = clock.nowMs();
      expect(result).toEqual({
        outcome: 'ingested',
        memories: [{ id: given.id, outcome: 'stored' }],
      });
      expect(await (await reopen()).memories.find(given.id)).toEqual({
        ...fields,
        pinned: false,
        pinReason: undefined,
        unpinnedScore: undefined,
        accessCount: 0,
        accessedAtMs: nowMs,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
        revision: 1,
      });
    });

    test('what is known word for word is reinforced, also inside one batch', async () => {
      const { storage, clock } = await openRig(open);
      const [id] = await ingest(storage, { content: 'tea', tags: ['a'], isTrusted: false });
      clock.advance(1_000);

      const result = await storage.memories.ingest([
        newMemory({ content: 'tea', priorityScore: 9, tags: ['b'], timestampMs: 7 }),
        newMemory({ content: 'tea', priorityScore: 2 }),
        newMemory({ content: 'tea', sessionId: 's' }),
        newMemory({ content: 'tea', agentId: OTHER }),
        newMemory({ content: 'tea', owner: 'user:1' }),
        newMemory({ content: 'tea', isPrivate: true }),
      ]);

      expect(result).toMatchObject({
        memories: [
          { id, outcome: 'reinforced' },
          { id, outcome: 'reinforced' },
          ...Array.from({ length: 4 }, () => ({ outcome: 'stored' })),
        ],
      });
      expect(await storage.memories.find(id!)).toMatchObject({
        priorityScore: 9,
        accessCount: 2,
        tags: ['a', 'b'],
        timestampMs: clock.nowMs(),
        isTrusted: true,
        revision: 3,
      });
      expect(await storage.memories.head()).toEqual({
        revision: 7,
        memories: 5,
        purgedThrough: 0,
      });
    });

    test('a key names one text of its owner', async () => {
      const { storage } = await openRig(open);
      const given = { key: 'k', content: 'tea' };
      const [id] = await ingest(storage, given);

      const again = await ingest(storage, given);
      const other = await storage.memories.ingest([
        newMemory(),
        newMemory({ key: 'k', content: 'coffee' }),
      ]);
      const strangers = await ingest(storage, { ...given, owner: 'user:1', content: 'coffee' });

      expect(again).toEqual([id]);
      expect(other).toEqual({ outcome: 'other_text', index: 1, id });
      expect(strangers).not.toEqual([id]);
      // The refused batch left nothing, and a replay is no reinforcement.
      expect(await storage.memories.head()).toMatchObject({ revision: 2, memories: 2 });
      expect(await storage.memories.find(id!)).toMatchObject({ accessCount: 0 });
    });

    test('a key counts once in a batch, and stays with its memory when the text changes', async () => {
      const { storage } = await openRig(open);
      const given = { key: 'k', content: 'tea' };

      const [id, twice] = await ingest(storage, given, given);
      const known = await storage.memories.find(id!);
      await storage.memories.update(known!, { content: 'coffee' });

      expect(twice).toBe(id);
      expect(await ingest(storage, given)).toEqual([id]);
      expect(await storage.memories.head()).toMatchObject({ memories: 1 });
    });

    test('batches at the same time lose nothing and number their changes without gaps', async () => {
      const { storage } = await openRig(open);
      const batches = Array.from({ length: 20 }, (_, batch) =>
        Array.from({ length: 5 }, (__, item) => ({ content: `${batch % 10} ${item}` })),
      );

      await Promise.all(batches.map((batch) => ingest(storage, ...batch)));

      const changes = await storage.memories.changes(0, 1_000);
      expect(await storage.memories.head()).toMatchObject({ revision: 100, memories: 50 });
      expect(changes).toHaveLength(50);
      expect(changes.at(-1)).toMatchObject({ revision: 100 });
    });
  });
}

function describeReads(engine: string, open: OpenStorage): void {
  describe(`MemoryStore reads on ${engine}`, () => {
    test('an empty store has nothing', async () => {
      const { memories } = (await openRig(open)).storage;

      expect(await memories.head()).toEqual({ revision: 0, memories: 0, purgedThrough: 0 });
      expect(await memories.find('mem_\u0000' as MemoryId)).toBeUndefined();
      expect(await memories.findAll([])).toEqual([]);
      expect(await memories.findAll(['mem_none' as MemoryId])).toEqual([]);
      expect(await memories.list({ limit: 10 })).toEqual([]);
      expect(await memories.changes(0, 10)).toEqual([]);
      expect(await memories.listPinned(10)).toEqual([]);
      expect(await memories.remove('mem_none' as MemoryId)).toBe(false);
      await memories.countAccesses([{ id: 'mem_none' as MemoryId, count: 1, atMs: 1 }]);
      expect(await memories.head()).toMatchObject({ revision: 0 });
    });

    test('lists newest first, page by page, of one project or of all', async () => {
      const { storage } = await openRig(open);
      const ids = await ingest(storage, {}, { projectId: 'other' }, {}, {});
      const list = async (page: object) =>
        (await storage.memories.list({ limit: 10, ...page })).map(({ id }) => ids.indexOf(id));

      expect(await list({})).toEqual([3, 2, 1, 0]);
      expect(await list({ limit: 2, before: ids[3] })).toEqual([2, 1]);
      expect(await list({ projectId: 'proj_001' })).toEqual([3, 2, 0]);
      expect(await list({ projectId: 'proj_001', before: ids[2] })).toEqual([0]);
      expect(await list({ projectId: "x' or 1=1" })).toEqual([]);
      expect(await list({ limit: -1 })).toEqual([]);
      expect((await storage.memories.findAll(ids.slice(1, 3))).map(({ id }) => id).sort()).toEqual(
        ids.slice(1, 3),
      );
    });

    test('tells what changed since, each memory once and as it is now', async () => {
      const { storage } = await openRig(open);
      const [first, second] = await ingest(storage, {}, {});
      await storage.memories.countAccesses([{ id: first!, count: 3, atMs: 9 }]);
      await storage.memories.remove(second!);

      const changes = await storage.memories.changes(0, 10);

      expect(changes).toMatchObject([
        { change: 'put', revision: 3, memory: { id: first, accessCount: 3, revision: 3 } },
        { change: 'remove', revision: 4, id: second },
      ]);
      expect(await storage.memories.changes(3, 10)).toEqual(changes.slice(1));
      expect(await storage.memories.changes(0, 1)).toEqual(changes.slice(0, 1));
    });
  });
}

function describeUpdates(engine: string, open: OpenStorage): void {
  describe(`MemoryStore.update on ${engine}`, () => {
    test('changes what it is given, of a memory as it was read', async () => {
      const { storage, clock } = await openRig(open);
      const [id] = await ingest(storage, { content: 'tea' });
      const known = (await storage.memories.find(id!))!;
      clock.advance(5);

      const pin = { pinned: true, priorityScore: 15, pinReason: 'critical', unpinnedScore: 5 };
      const updated = await storage.memories.update(known, pin);
      const late = await storage.memories.update(known, { content: 'coffee' });

      const memory = { ...known, ...pin, updatedAtMs: clock.nowMs(), revision: 2 };
      expect(updated).toEqual({ outcome: 'updated', memory });
      expect(late).toEqual({ outcome: 'changed' });
      expect(await storage.memories.find(id!)).toEqual(memory);
      expect(await storage.memories.listPinned(10)).toEqual([memory]);
    });

    test('makes no second memory of a text', async () => {
      const { storage } = await openRig(open);
      const [tea, coffee] = await ingest(storage, { content: 'tea' }, { content: 'coffee' });
      const known = (await storage.memories.find(coffee!))!;

      expect(await storage.memories.update(known, { content: 'tea' })).toEqual({
        outcome: 'duplicate',
        id: tea,
      });
      expect(
        await storage.memories.update({ ...known, id: 'mem_none' as MemoryId }, { tags: ['a'] }),
      ).toEqual({ outcome: 'not_found' });
    });
  });
}

function describeRemovals(engine: string, open: OpenStorage): void {
  describe(`MemoryStore.remove on ${engine}`, () => {
    test('leaves nothing of the text, and may be said anew', async () => {
      const { storage } = await openRig(open);
      const [id] = await ingest(storage, { content: 'tea' });

      expect(await storage.memories.remove(id!)).toBe(true);
      expect(await storage.memories.remove(id!)).toBe(false);
      expect(await storage.memories.find(id!)).toBeUndefined();
      expect(await storage.memories.findAll([id!])).toEqual([]);
      expect(await storage.memories.list({ limit: 10 })).toEqual([]);
      expect(await ingest(storage, { content: 'tea' })).not.toEqual([id]);
      expect(await storage.memories.head()).toEqual({ revision: 3, memories: 1, purgedThrough: 0 });
    });

    test('forgets removals after a day, and says so', async () => {
      const { storage, clock } = await openRig(open);
      const [first, second] = await ingest(storage, {}, {});
      await storage.memories.remove(first!);
      clock.advance(DAY_MS);

      await storage.memories.remove(second!);

      expect(await storage.memories.head()).toEqual({ revision: 4, memories: 0, purgedThrough: 3 });
      expect(await storage.memories.changes(0, 10)).toMatchObject([{ id: second }]);
    });

    test('forgets what an agent wrote for itself alone', async () => {
      const { storage } = await openRig(open);
      const own = { isPrivate: true };
      const [, , shared, others] = await ingest(
        storage,
        own,
        own,
        {},
        { isPrivate: true, agentId: OTHER },
      );

      const counts = [
        await storage.memories.forget(AGENT, 1),
        await storage.memories.forget(AGENT, 10),
        await storage.memories.forget(AGENT, 10),
      ];

      expect(counts).toEqual([1, 1, 0]);
      expect((await storage.memories.list({ limit: 10 })).map(({ id }) => id)).toEqual([
        others,
        shared,
      ]);
    });
  });
}
