import { put } from '../store/change.ts';
import { list } from '../store/need.ts';
import { defineWrite } from '../store/write.ts';
import { digestMemory } from './memory-digests.ts';
import {
  HEAD,
  locks,
  MEMORIES,
  MEMORIES_BY_DIGEST,
  MEMORY_HEAD,
  type MemoryRow,
  NO_HEAD,
} from './memory-rows.ts';
import type { StoredMemory } from './memory-store.ts';

/** A memory with all that became of it, which only its revision does not tell. */
export type RestoredMemory = Omit<StoredMemory, 'revision'>;

/** Memories as somebody had them, of an agent that is new here. Of those that say the same the first is kept. */
export const restoreMemories = defineWrite({
  name: 'memories.restore',
  locks,
  needs: (memories: readonly RestoredMemory[]) => ({
    head: HEAD,
    twins: list(MEMORIES_BY_DIGEST, {
      among: memories.map(digestMemory),
      limit: memories.length,
    }),
  }),
  decide({ head = NO_HEAD, twins }, memories) {
    const known = new Set(twins.map(({ digest }) => digest));
    const rows: MemoryRow[] = [];
    for (const memory of memories) {
      const digest = digestMemory(memory);
      if (known.has(digest)) continue;
      known.add(digest);
      const revision = head.revision + rows.length + 1;
      rows.push({ ...memory, digest, revision, removedAtMs: undefined });
    }
    const next = {
      ...head,
      revision: head.revision + rows.length,
      memories: head.memories + rows.length,
    };
    return {
      value: undefined,
      changes: [...rows.map((row) => put(MEMORIES, row)), put(MEMORY_HEAD, next)],
    };
  },
});
