import type { MemoryId } from '../ids.ts';
import type { Memory } from './memory.ts';

/** What an index knows of one memory. Contents come along once, to be read; they are not kept. */
export interface IndexedMemory extends Memory {
  /** One for each part of its text, in order; empty until it is embedded. */
  readonly vectors: readonly Float32Array[];
}

export type IndexChange =
  | { readonly change: 'put'; readonly memory: IndexedMemory }
  | {
      readonly change: 'embed';
      readonly id: MemoryId;
      readonly vectors: readonly Float32Array[];
    }
  | { readonly change: 'remove'; readonly id: MemoryId };

/** Which memories a search may see at all. Applied before anything is ranked. */
export interface MemoryFilter {
  /** Only of this principal; absent: of everybody. */
  readonly owner?: string;
  /** The reading agent: sees its own, private ones too. Absent: nobody in particular, who sees no private one. */
  readonly readerId?: string;
  /** The reader sees nothing but its own. */
  readonly isOwnOnly?: boolean;
  /** Agents whose memory is private now: theirs are seen by themselves alone, whenever they were written. */
  readonly privateAgentIds: readonly string[];
  readonly projectId?: string;
  /** Pinned ones of other projects too. */
  readonly withPinned?: boolean;
  readonly agentId?: string;
  readonly sessionId?: string;
  readonly source?: string;
  readonly tags?: readonly string[];
  readonly sinceMs?: number;
  readonly untilMs?: number;
}

export interface IndexQuery {
  readonly text: string;
  /** Of the forms that `prepare` gave, in their order; undefined when there is no embedder to ask. */
  readonly vectors: readonly Float32Array[] | undefined;
  readonly filter: MemoryFilter;
  readonly limit: number;
  readonly nowMs: number;
}

export interface RankedMemory {
  readonly id: MemoryId;
  /** 0 to 1, falling along the list. */
  readonly score: number;
  /** What brought it here: names of signals and what each added to the score before it was scaled. */
  readonly why: Readonly<Record<string, number>>;
}

/** Finds memories by word and by meaning. Holds nothing that the store does not: it can be made anew at any time. */
export interface MemoryIndex {
  apply(changes: readonly IndexChange[]): Promise<void>;
  /** The texts to embed for a question: as it is said, and as whoever knows the answer might have said it. */
  prepare(query: Pick<IndexQuery, 'text' | 'filter'>): Promise<readonly string[]>;
  search(query: IndexQuery): Promise<readonly RankedMemory[]>;
  /** Frees what it holds. */
  close(): Promise<void>;
}
