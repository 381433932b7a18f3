import type { AgentId, MemoryId } from '../ids.ts';
import { collection, query } from '../store/collection.ts';
import { find } from '../store/need.ts';
import type { MemoryHead, StoredMemory } from './memory-store.ts';

export interface MemoryRow extends StoredMemory {
  /** Of its text and of whose it is: what says the same is one memory. */
  readonly digest: string;
  /** Set on what is left of a memory that was removed: its id and its revision, until every index has seen it. */
  readonly removedAtMs: number | undefined;
}

export interface KeyRow {
  /** A digest of the owner and of its name for the memory. */
  readonly key: string;
  /** Of what came with it. */
  readonly digest: string;
  readonly memoryId: MemoryId;
  readonly createdAtMs: number;
}

export interface HeadRow extends MemoryHead {
  readonly no: number;
}

export const MEMORIES = collection<MemoryRow>()('memories', 'id');
/** The same rows, found by what they say. */
export const MEMORIES_BY_DIGEST = collection<MemoryRow>()('memories_by_digest', 'digest');
export const MEMORY_KEYS = collection<KeyRow>()('memory_keys', 'key');
export const MEMORY_HEAD = collection<HeadRow>()('memory_head', 'no');

export const CHANGED_MEMORIES = query<{ after: number; limit: number }, MemoryRow>(
  'changed_memories',
);
/** Newest first, before this id. */
export const NEWEST_MEMORIES = query<{ before: MemoryId; limit: number }, MemoryRow>(
  'newest_memories',
);
export const NEWEST_OF_PROJECT = query<
  { before: MemoryId; projectId: string; limit: number },
  MemoryRow
>('newest_of_project');
export const PRIVATE_MEMORIES = query<{ agentId: AgentId; limit: number }, MemoryRow>(
  'private_memories',
);
/** Removed before this moment, oldest first. */
export const REMOVED_MEMORIES = query<
  { keepMs: number; limit: number },
  Pick<MemoryRow, 'id' | 'revision'>
>('removed_memories');

/** One at a time, all of them: a revision is seen when all those before it are. */
export const locks = () => ['memories'];
export const HEAD = find(MEMORY_HEAD, { no: 1 });
export const NO_HEAD: HeadRow = { no: 1, revision: 0, memories: 0, purgedThrough: 0 };

export function toMemory({ digest: _, removedAtMs: __, ...memory }: MemoryRow): StoredMemory {
  return memory;
}
