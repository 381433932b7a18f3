import type { MemoryId } from '../ids.ts';
import { type Change, expire, put } from '../store/change.ts';
import { list } from '../store/need.ts';
import { answer, type Decided, defineWrite } from '../store/write.ts';
import { digestMemory, digestRequest, toKey } from './memory-digests.ts';
import {
  HEAD,
  type KeyRow,
  locks,
  MEMORIES,
  MEMORIES_BY_DIGEST,
  MEMORY_HEAD,
  MEMORY_KEYS,
  type MemoryRow,
  NO_HEAD,
} from './memory-rows.ts';
import type { IngestedMemory, IngestResult, NewMemory } from './memory-store.ts';

/** A caller that repeats itself does so within this time. */
const KEEP_KEYS_MS = 365 * 24 * 60 * 60 * 1000;
const MAX_EXPIRED_KEYS = 100;
export const MAX_TAGS = 32;

export interface Draft extends NewMemory {
  readonly digest: string;
  readonly keyDigest: string | undefined;
  readonly requestDigest: string;
}

export function toDraft(memory: NewMemory): Draft {
  return {
    ...memory,
    digest: digestMemory(memory),
    keyDigest: memory.key === undefined ? undefined : toKey(memory.owner, memory.key),
    requestDigest: digestRequest(memory),
  };
}

export const ingest = defineWrite({
  name: 'memories.ingest',
  locks,
  needs: (drafts: readonly Draft[]) => {
    const keys = drafts.flatMap(({ keyDigest }) => (keyDigest === undefined ? [] : [keyDigest]));
    const digests = drafts.map(({ digest }) => digest);
    return {
      head: HEAD,
      keys: list(MEMORY_KEYS, { among: keys, limit: keys.length }),
      twins: list(MEMORIES_BY_DIGEST, { among: digests, limit: digests.length }),
    };
  },
  decide({ head = NO_HEAD, keys, twins }, drafts, nowMs): Decided<IngestResult> {
    const known = new Map(keys.map((row) => [row.key, row]));
    const rows = new Map(twins.map((row) => [row.digest, row]));
    const changed = new Map<string, MemoryRow>();
    const ingested: IngestedMemory[] = [];
    let { revision, memories } = head;
    for (const [index, draft] of drafts.entries()) {
      const named = draft.keyDigest === undefined ? undefined : known.get(draft.keyDigest);
      if (named && named.digest !== draft.requestDigest)
        return answer({ outcome: 'other_text', index, id: named.memoryId });
      if (named) {
        ingested.push({ id: named.memoryId, outcome: 'replayed' });
        continue;
      }
      const twin = rows.get(draft.digest);
      revision += 1;
      const row = twin
        ? { ...reinforce(twin, draft, nowMs), revision }
        : toRow(draft, { revision, nowMs });
      if (!twin) memories += 1;
      rows.set(row.digest, row);
      changed.set(row.digest, row);
      ingested.push({ id: row.id, outcome: twin ? 'reinforced' : 'stored' });
      if (draft.keyDigest !== undefined)
        known.set(draft.keyDigest, toKeyRow(draft.keyDigest, draft, { id: row.id, nowMs }));
    }
    const added = [...known.values()].slice(keys.length);
    return {
      value: { outcome: 'ingested', memories: ingested },
      changes: [
        ...[...changed.values()].map((row) => put(MEMORIES, row)),
        ...added.map((row) => put(MEMORY_KEYS, row)),
        ...(added.length > 0 ? [expireKeys(nowMs)] : []),
        ...(revision > head.revision ? [put(MEMORY_HEAD, { ...head, revision, memories })] : []),
      ],
    };
  },
});

function toKeyRow(
  key: string,
  { requestDigest }: Draft,
  { id, nowMs }: { readonly id: MemoryId; readonly nowMs: number },
): KeyRow {
  return { key, digest: requestDigest, memoryId: id, createdAtMs: nowMs };
}

function expireKeys(nowMs: number): Change {
  const untilMs = nowMs - KEEP_KEYS_MS;
  return expire(MEMORY_KEYS, { by: 'createdAtMs', untilMs, max: MAX_EXPIRED_KEYS });
}

function toRow(
  { key: _, keyDigest: __, requestDigest: ___, timestampMs, ...draft }: Draft,
  { revision, nowMs }: { readonly revision: number; readonly nowMs: number },
): MemoryRow {
  return {
    ...draft,
    timestampMs: timestampMs ?? nowMs,
    pinned: false,
    pinReason: undefined,
    unpinnedScore: undefined,
    accessCount: 0,
    accessedAtMs: nowMs,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    removedAtMs: undefined,
    revision,
  };
}

/** What is said again counts for more, and is vouched for by the best of those who said it. */
function reinforce(row: MemoryRow, draft: Draft, nowMs: number): MemoryRow {
  return {
    ...row,
    priorityScore: Math.max(row.priorityScore, draft.priorityScore),
    accessCount: row.accessCount + 1,
    accessedAtMs: nowMs,
    timestampMs: Math.max(row.timestampMs, draft.timestampMs ?? nowMs),
    tags: [...new Set([...row.tags, ...draft.tags])].slice(0, MAX_TAGS),
    extra: { ...draft.extra, ...row.extra },
    isTrusted: row.isTrusted || draft.isTrusted,
    updatedAtMs: nowMs,
  };
}
