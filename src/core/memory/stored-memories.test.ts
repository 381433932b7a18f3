import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryTables, stubQuery } from '../../../test/support/memory-tables.ts';
import type { AgentId, MemoryId } from '../ids.ts';
import {
  CHANGED_MEMORIES,
  MEMORIES,
  MEMORIES_BY_DIGEST,
  type MemoryRow,
  PRIVATE_MEMORIES,
  REMOVED_MEMORIES,
} from './memory-rows.ts';
import type { NewMemory } from './memory-store.ts';
import { createMemoryStore } from './stored-memories.ts';

const isThere = ({ removedAtMs }: MemoryRow) => removedAtMs === undefined;

const STUBS = [
  stubQuery(CHANGED_MEMORIES, ({ after, limit }, { rows }) =>
    rows(MEMORIES)
      .filter(({ revision }) => revision > after)
      .sort((a, b) => a.revision - b.revision)
      .slice(0, limit),
  ),
  stubQuery(PRIVATE_MEMORIES, ({ agentId, limit }, { rows }) =>
    rows(MEMORIES)
      .filter((row) => isThere(row) && row.isPrivate && row.agentId === agentId)
      .slice(0, limit),
  ),
  stubQuery(REMOVED_MEMORIES, ({ keepMs, limit }, { rows, nowMs }) =>
    rows(MEMORIES)
      .filter(({ removedAtMs }) => removedAtMs !== undefined && removedAtMs <= nowMs - keepMs)
      .slice(0, limit)
      .map(({ id, revision }) => ({ id, revision })),
  ),
];

function openStore() {
  const tables = createMemoryTables(STUBS, [{ view: MEMORIES_BY_DIGEST, of: MEMORIES }]);
  return { store: createMemoryStore(tables), tables };
}

const AGENT = fc.constantFrom('agent_a' as AgentId, 'agent_b' as AgentId);
const memory = fc.record({
  owner: fc.constantFrom('operator', 'user:1'),
  agentId: AGENT,
  content: fc.constantFrom('tea', 'coffee', 'milk'),
  key: fc.constantFrom(undefined, undefined, 'k1', 'k2'),
  priorityScore: fc.nat(15),
  isPrivate: fc.boolean(),
  isTrusted: fc.boolean(),
});
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ingest: fc.array(memory, { minLength: 1, maxLength: 4 }) }) },
  fc.record({ remove: fc.nat(5) }),
  fc.record({ forget: AGENT }),
  fc.record({ update: fc.nat(5), content: fc.constantFrom('tea', 'coffee', 'water') }),
  fc.record({ access: fc.nat(5) }),
);

let made = 0;
function toNew(given: Partial<NewMemory>): NewMemory {
  made += 1;
  const fields = {
    agentName: 'a',
    projectId: 'p',
    sessionId: undefined,
    source: 'chat',
    tags: [],
    extra: {},
  };
  const id = `mem_${String(made).padStart(9, '0')}` as MemoryId;
  return { timestampMs: undefined, key: undefined, ...fields, ...given, id } as NewMemory;
}

/** What an index would hold that follows the changes. */
async function follow(store: ReturnType<typeof openStore>['store'], seen: Map<string, string>) {
  for (const change of await store.changes(0, 1_000)) {
    if (change.change === 'remove') seen.delete(change.id);
    else seen.set(change.memory.id, change.memory.content);
  }
  return seen;
}

test('whoever follows the changes knows what is there, and every text is there once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { store, tables } = openStore();
      const known = new Map<string, string>();
      let before = 0;
      for (const one of steps) {
        tables.clock.advance(60 * 60 * 1000);
        const there = tables.rows(MEMORIES).filter(isThere);
        if ('ingest' in one) await store.ingest(one.ingest.map(toNew));
        else if ('forget' in one) await store.forget(one.forget, 10);
        else {
          const index = 'remove' in one ? one.remove : 'update' in one ? one.update : one.access;
          const row = there[index];
          if (!row) continue;
          if ('remove' in one) await store.remove(row.id);
          else if ('update' in one) await store.update(row, { content: one.content });
          else await store.countAccesses([{ id: row.id, count: 2, atMs: tables.clock.nowMs() }]);
        }

        const head = await store.head();
        const rows = tables.rows(MEMORIES);
        const revisions = rows.map(({ revision }) => revision);
        expect(head.revision).toBeGreaterThanOrEqual(before);
        expect(head.revision).toBeGreaterThanOrEqual(Math.max(0, ...revisions));
        expect(new Set(revisions).size).toBe(revisions.length);
        expect(head.memories).toBe(rows.filter(isThere).length);
        expect(new Set(rows.map(({ digest }) => digest)).size).toBe(rows.length);
        for (const { content } of rows.filter((row) => !isThere(row))) expect(content).toBe('');
        before = head.revision;
      }

      const followed = await follow(store, known);
      const there = tables.rows(MEMORIES).filter(isThere);
      expect([...followed].sort()).toEqual(there.map(({ id, content }) => [id, content]).sort());
    }),
  );
});

test('what is acknowledged is found under the id that was told', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(memory, { maxLength: 5 })), async (batches) => {
      const { store } = openStore();
      for (const batch of batches) {
        const result = await store.ingest(batch.map(toNew));
        if (result.outcome === 'other_text') {
          expect(batch[result.index]?.key).toBeDefined();
          continue;
        }
        const found = await Promise.all(result.memories.map(({ id }) => store.find(id)));
        expect(found.map((one) => one?.content)).toEqual(batch.map(({ content }) => content));
      }
    }),
  );
});
