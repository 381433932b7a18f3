import { clampLimit } from '../clamp-limit.ts';
import type { AgentId, MemoryId } from '../ids.ts';
import { type Change, put, remove as removeRow } from '../store/change.ts';
import { ask, find, list } from '../store/need.ts';
import type { Tables } from '../store/tables.ts';
import { answer, type Decided, defineWrite } from '../store/write.ts';
import { ingest, toDraft } from './ingest-write.ts';
import { digestMemory } from './memory-digests.ts';
import {
  CHANGED_MEMORIES,
  HEAD,
  type HeadRow,
  locks,
  MEMORIES,
  MEMORIES_BY_DIGEST,
  MEMORY_HEAD,
  type MemoryRow,
  NEWEST_MEMORIES,
  NEWEST_OF_PROJECT,
  NO_HEAD,
  PRIVATE_MEMORIES,
  REMOVED_MEMORIES,
  toMemory,
} from './memory-rows.ts';
import type {
  MemoryAccess,
  MemoryChange,
  MemoryFields,
  MemoryStore,
  UpdateResult,
} from './memory-store.ts';
import { restoreMemories } from './restore-write.ts';

/** Every index looks again long before; one that did not begins anew. */
const KEEP_REMOVED_MS = 24 * 60 * 60 * 1000;
/** With each removal: they get fewer, and no caller waits for many. */
const MAX_PURGED = 100;
const MAX_PAGE = 1_000;
/** No id sorts after it. */
const BEHIND_ALL = 'mem_~' as MemoryId;

const purgeable = ask(REMOVED_MEMORIES, { keepMs: KEEP_REMOVED_MS, limit: MAX_PURGED });

interface Update {
  readonly id: MemoryId;
  /** As it was when the change was thought of. */
  readonly revision: number;
  /** After the change. */
  readonly digest: string;
  readonly fields: MemoryFields;
}

const update = defineWrite({
  name: 'memories.update',
  locks,
  needs: ({ id, digest }: Update) => ({
    head: HEAD,
    known: find(MEMORIES, { id }),
    twin: find(MEMORIES_BY_DIGEST, { digest }),
  }),
  decide({ head = NO_HEAD, known, twin }, { id, ...given }, nowMs): Decided<UpdateResult> {
    if (!known || known.removedAtMs !== undefined) return answer({ outcome: 'not_found' });
    if (known.revision !== given.revision) return answer({ outcome: 'changed' });
    if (twin && twin.id !== id) return answer({ outcome: 'duplicate', id: twin.id });
    const revision = head.revision + 1;
    const row: MemoryRow = {
      ...known,
      ...given.fields,
      digest: given.digest,
      updatedAtMs: nowMs,
      revision,
    };
    return {
      value: { outcome: 'updated', memory: toMemory(row) },
      changes: [put(MEMORIES, row), put(MEMORY_HEAD, { ...head, revision })],
    };
  },
});

/** Nothing is left but that it was there. */
function bury(row: MemoryRow, revision: number, nowMs: number): MemoryRow {
  return {
    ...row,
    projectId: '',
    sessionId: undefined,
    content: '',
    source: '',
    tags: [],
    extra: {},
    pinned: false,
    pinReason: undefined,
    unpinnedScore: undefined,
    // No text has such a digest, and no other memory this id.
    digest: row.id,
    updatedAtMs: nowMs,
    removedAtMs: nowMs,
    revision,
  };
}

interface Removal {
  readonly head: HeadRow;
  readonly past: readonly Pick<MemoryRow, 'id' | 'revision'>[];
  readonly rows: readonly MemoryRow[];
  readonly nowMs: number;
}

function buryAll({ head, past, rows, nowMs }: Removal): Change[] {
  const buried = rows.map((row, index) => bury(row, head.revision + index + 1, nowMs));
  const next: HeadRow = {
    ...head,
    revision: head.revision + rows.length,
    memories: head.memories - rows.length,
    purgedThrough: Math.max(head.purgedThrough, ...past.map(({ revision }) => revision)),
  };
  return [
    ...buried.map((row) => put(MEMORIES, row)),
    ...past.map(({ id }) => removeRow(MEMORIES, { id })),
    put(MEMORY_HEAD, next),
  ];
}

const remove = defineWrite({
  name: 'memories.remove',
  locks,
  needs: ({ id }: { id: MemoryId }) => ({
    head: HEAD,
    known: find(MEMORIES, { id }),
    past: purgeable,
  }),
  decide({ head = NO_HEAD, known, past }, _, nowMs): Decided<boolean> {
    if (!known || known.removedAtMs !== undefined) return answer(false);
    return { value: true, changes: buryAll({ head, past, rows: [known], nowMs }) };
  },
});

const forget = defineWrite({
  name: 'memories.forget',
  locks,
  needs: ({ agentId, limit }: { agentId: AgentId; limit: number }) => ({
    head: HEAD,
    rows: ask(PRIVATE_MEMORIES, { agentId, limit: clampLimit(limit, MAX_PAGE) }),
    past: purgeable,
  }),
  decide({ head = NO_HEAD, rows, past }, _, nowMs): Decided<number> {
    if (rows.length === 0) return answer(0);
    return { value: rows.length, changes: buryAll({ head, past, rows, nowMs }) };
  },
});

const countAccesses = defineWrite({
  name: 'memories.count_accesses',
  locks,
  needs: (accesses: readonly MemoryAccess[]) => ({
    head: HEAD,
    rows: list(MEMORIES, { among: accesses.map(({ id }) => id), limit: accesses.length }),
  }),
  decide({ head = NO_HEAD, rows }, accesses) {
    const there = rows.filter(({ removedAtMs }) => removedAtMs === undefined);
    if (there.length === 0) return answer(undefined);
    const byId = new Map(accesses.map((access) => [access.id, access]));
    const changed = there.map((row, index): MemoryRow => {
      const { count, atMs } = byId.get(row.id) ?? { count: 0, atMs: 0 };
      return {
        ...row,
        accessCount: row.accessCount + count,
        accessedAtMs: Math.max(row.accessedAtMs, atMs),
        revision: head.revision + index + 1,
      };
    });
    const revision = head.revision + changed.length;
    return {
      value: undefined,
      changes: [
        ...changed.map((row) => put(MEMORIES, row)),
        put(MEMORY_HEAD, { ...head, revision }),
      ],
    };
  },
});

export const MEMORY_WRITES = { ingest, restoreMemories, update, remove, forget, countAccesses };

export function createMemoryStore({ load, write }: Tables): MemoryStore {
  return {
    async head() {
      const { no: _, ...head } = (await load(HEAD)) ?? NO_HEAD;
      return head;
    },
    ingest: (memories) => write(ingest, memories.map(toDraft)),

    async find(id) {
      const row = await load(find(MEMORIES, { id }));
      return row && row.removedAtMs === undefined ? toMemory(row) : undefined;
    },
    async findAll(ids) {
      if (ids.length === 0) return [];
      const rows = await load(
        list(MEMORIES, { among: ids, limit: clampLimit(ids.length, MAX_PAGE) }),
      );
      return rows.filter(({ removedAtMs }) => removedAtMs === undefined).map(toMemory);
    },
    async list({ before = BEHIND_ALL, projectId, limit }) {
      const page = { before, limit: clampLimit(limit, MAX_PAGE) };
      const need =
        projectId === undefined
          ? ask(NEWEST_MEMORIES, page)
          : ask(NEWEST_OF_PROJECT, { ...page, projectId });
      return (await load(need)).map(toMemory);
    },
    async listOf(agentId, { after, limit }) {
      const of = { agentId, removedAtMs: undefined };
      const rows = await load(list(MEMORIES, { of, after, limit: clampLimit(limit, MAX_PAGE) }));
      return rows.map(toMemory);
    },
    async listPinned(limit) {
      const page = { of: { pinned: true }, limit: clampLimit(limit, MAX_PAGE) };
      return (await load(list(MEMORIES, page))).map(toMemory);
    },
    async changes(after, limit) {
      const page = { after, limit: clampLimit(limit, MAX_PAGE) };
      return (await load(ask(CHANGED_MEMORIES, page))).map(toChange);
    },

    update: (known, fields) =>
      write(update, {
        id: known.id,
        revision: known.revision,
        digest: digestMemory({ ...known, ...fields }),
        fields,
      }),
    remove: (id) => write(remove, { id }),
    forget: (agentId, limit) => write(forget, { agentId, limit }),
    async countAccesses(accesses) {
      if (accesses.length > 0) await write(countAccesses, accesses);
    },
  };
}

function toChange(row: MemoryRow): MemoryChange {
  const { id, revision, removedAtMs } = row;
  if (removedAtMs !== undefined) return { change: 'remove', revision, id };
  const { agentName: _, pinReason: __, unpinnedScore: ___, ...memory } = toMemory(row);
  return { change: 'put', revision, memory };
}
