import type { AgentId, MemoryId } from '../ids.ts';
import type { Memory } from './memory.ts';

/** A memory as it is kept, with what no index has to know. */
export interface StoredMemory extends Memory {
  /** Its agent as whoever brought the memory named it: by id, slug or name. */
  readonly agentName: string;
  /** Why it was pinned, in the words of whoever did. */
  readonly pinReason: string | undefined;
  /** The priority it had before it was pinned. */
  readonly unpinnedScore: number | undefined;
}

export interface NewMemory
  extends Pick<
    Memory,
    | 'id'
    | 'owner'
    | 'agentId'
    | 'projectId'
    | 'sessionId'
    | 'content'
    | 'source'
    | 'tags'
    | 'extra'
    | 'priorityScore'
    | 'isPrivate'
    | 'isTrusted'
  > {
  readonly agentName: string;
  /** Undefined: when it is stored. */
  readonly timestampMs: number | undefined;
  /** The owner's name for it. The same again, with the same text, is one memory. */
  readonly key: string | undefined;
}

/** How far the store is: one row, so that asking costs nothing. */
export interface MemoryHead {
  /** Of the newest change; 0 before the first. */
  readonly revision: number;
  /** Memories that are there. */
  readonly memories: number;
  /** Removals up to this revision may be forgotten: who has seen less has to begin anew. */
  readonly purgedThrough: number;
}

export interface IngestedMemory {
  readonly id: MemoryId;
  /** `reinforced`: it was known word for word; `replayed`: its key had come before. */
  readonly outcome: 'stored' | 'reinforced' | 'replayed';
}

export type IngestResult =
  | { readonly outcome: 'ingested'; readonly memories: readonly IngestedMemory[] }
  /** The item with this index has a key that came with another text; nothing was stored. */
  | { readonly outcome: 'other_text'; readonly index: number; readonly id: MemoryId };

export type MemoryFields = Partial<
  Pick<
    StoredMemory,
    | 'content'
    | 'projectId'
    | 'sessionId'
    | 'source'
    | 'tags'
    | 'timestampMs'
    | 'extra'
    | 'priorityScore'
    | 'pinned'
    | 'pinReason'
    | 'unpinnedScore'
  >
>;

export type UpdateResult =
  | { readonly outcome: 'updated'; readonly memory: StoredMemory }
  | { readonly outcome: 'not_found' }
  /** Somebody else changed it meanwhile. */
  | { readonly outcome: 'changed' }
  /** Another memory says exactly this. */
  | { readonly outcome: 'duplicate'; readonly id: MemoryId };

export type MemoryChange =
  | { readonly change: 'put'; readonly revision: number; readonly memory: Memory }
  | { readonly change: 'remove'; readonly revision: number; readonly id: MemoryId };

export interface MemoryPage {
  /** Newest first; only those before this one. */
  readonly before?: MemoryId;
  readonly limit: number;
  readonly projectId?: string;
}

export interface OwnMemoryPage {
  /** The last one of the page before. */
  readonly after?: MemoryId;
  readonly limit: number;
}

/** What was given to a reader, and how often. */
export interface MemoryAccess {
  readonly id: MemoryId;
  readonly count: number;
  readonly atMs: number;
}

/** Each method is one transaction. All writes happen one after the other, so that revisions are seen in their order. */
export interface MemoryStore {
  head(): Promise<MemoryHead>;
  /** All of them or none, in their order. */
  ingest(memories: readonly NewMemory[]): Promise<IngestResult>;
  find(id: MemoryId): Promise<StoredMemory | undefined>;
  /** Those that are there, in no order. */
  findAll(ids: readonly MemoryId[]): Promise<StoredMemory[]>;
  list(page: MemoryPage): Promise<StoredMemory[]>;
  /** What this agent wrote, oldest first. */
  listOf(agentId: AgentId, page: OwnMemoryPage): Promise<StoredMemory[]>;
  /** The first ones there are. */
  listPinned(limit: number): Promise<StoredMemory[]>;
  /** In the order of their revisions, also what was removed. */
  changes(after: number, limit: number): Promise<MemoryChange[]>;
  /** Of `known`, as it was read. */
  update(known: StoredMemory, fields: MemoryFields): Promise<UpdateResult>;
  /** Its text is gone with the commit. False when there is no such memory. */
  remove(id: MemoryId): Promise<boolean>;
  /** Removes some of what only this agent sees, and tells how many that were. */
  forget(agentId: AgentId, limit: number): Promise<number>;
  countAccesses(accesses: readonly MemoryAccess[]): Promise<void>;
}
