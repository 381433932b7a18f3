import type { AgentId, Ids, MemoryId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import type { Redactor } from '../redact/redact.ts';
import type { EmbeddingStatus } from './embedding-queue.ts';
import type { GivenMemory } from './given-memory.ts';
import type { MemoryAgents } from './memory-agents.ts';
import type { IngestedMemory, MemoryStore, StoredMemory } from './memory-store.ts';
import type { FoundMemories, MemoryQuery, SearchDeps } from './search-memories.ts';

/** What every surface and tool may do with memories. */
export interface Memories {
  /** Durable when it resolves. Throws `not_found` for an unknown agent, `conflict` for a key of another text. */
  ingest(given: GivenMemory): Promise<IngestedMemory>;
  /** All of them or none; a refusal names the item in `details.index`. */
  ingestAll(given: readonly GivenMemory[]): Promise<readonly IngestedMemory[]>;
  search(wanted: MemorySearch): Promise<FoundMemories>;
  /** Newest first. */
  list(wanted: MemoryListing): Promise<MemoryList>;
  /** What is pinned and seen by the viewer, a bounded number. */
  listPinned(wanted: MemoryWishes): Promise<readonly StoredMemory[]>;
  /** Throws `not_found`, also for what the viewer may not see. */
  get(id: string, viewer: Viewer): Promise<StoredMemory>;
  update(id: string, viewer: Viewer, change: GivenChange): Promise<StoredMemory>;
  remove(id: string, viewer: Viewer): Promise<void>;
  /** Throws `policy_denied` for what is not trusted, unless somebody has approved. */
  pin(id: string, viewer: Viewer, pin: Pin): Promise<StoredMemory>;
  unpin(id: string, viewer: Viewer): Promise<StoredMemory>;
  /** What only this agent sees goes with it. */
  forgetAgent(agentId: AgentId): Promise<void>;
  stats(): Promise<EmbeddingStatus>;
}

/** Who looks, for whom, as callers say it. */
export interface Viewer {
  /** Only what this principal owns; absent: of everybody. */
  readonly owner?: string;
  /** The agent that reads: id, slug or name. Absent: nobody in particular. */
  readonly reader?: string;
}

export interface MemoryWishes extends Viewer {
  readonly projectId?: string;
  /** Only what this agent wrote: id, slug or name. */
  readonly author?: string;
  readonly sessionId?: string;
  readonly source?: string;
  readonly tags?: readonly string[];
  readonly sinceMs?: number;
  readonly untilMs?: number;
}

export interface MemorySearch
  extends MemoryWishes,
    Pick<MemoryQuery, 'text' | 'isWanted' | 'embedTimeoutMs' | 'signal'> {
  readonly limit?: number;
}

export interface MemoryListing extends MemoryWishes {
  readonly limit: number;
  readonly before?: MemoryId;
  readonly isPinned?: boolean;
}

export interface MemoryList {
  readonly memories: readonly StoredMemory[];
  /** Where the next page goes on; undefined when there is none. */
  readonly next: MemoryId | undefined;
}

export interface GivenChange {
  readonly content?: string;
  readonly projectId?: string;
  /** Null: it belongs to no conversation. */
  readonly sessionId?: string | null;
  readonly tags?: readonly string[];
  readonly timestampMs?: number;
  readonly priorityScore?: number;
  /** Joined with what is there; null takes a member away. */
  readonly extra?: JsonObject;
}

export interface Pin {
  readonly reason: string;
  readonly isApproved: boolean;
}

export interface MemoriesDeps extends SearchDeps {
  readonly store: MemoryStore;
  readonly agents: MemoryAgents;
  readonly ids: Pick<Ids, 'memory'>;
  readonly redactor: Redactor;
  readonly readEmbedding: () => Promise<EmbeddingStatus>;
  /** After each ingest: something may wait to be embedded. */
  readonly onIngest?: () => void;
}
