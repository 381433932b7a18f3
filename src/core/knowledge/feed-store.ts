import type { AgentId, MemoryId } from '../ids.ts';
import type { Viewer } from './fact.ts';

/** `run` is one that ended; `memory` one that matters; what a hand-off came to is an entry of its own. */
export const FEED_KINDS = ['handoff', 'handoff_result', 'fact', 'memory', 'run'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

/** What a feed entry is made of. */
export interface FeedItem {
  /** Of the thing; an outcome has its own. */
  readonly id: string;
  readonly kind: FeedKind;
  /** Who found, said or did it; undefined for a person or a program. */
  readonly agentId: AgentId | undefined;
  /** The other agent of a hand-off. */
  readonly toAgentId: AgentId | undefined;
  readonly atMs: number;
  /** The subject of a fact; nothing for a run, and for what its agent keeps to itself. */
  readonly text: string | undefined;
  readonly relation: string | undefined;
  readonly object: string | undefined;
}

/** The last entry of the page before. */
export interface FeedPlace {
  readonly atMs: number;
  readonly id: string;
}

export interface FeedFilter extends Viewer {
  readonly projectId: string;
  readonly before?: FeedPlace;
  readonly limit: number;
}

export interface MemoryFilter extends Omit<FeedFilter, 'before'> {
  /** The last one of the page before. */
  readonly before?: MemoryId;
}

export interface KnownMemory {
  readonly id: MemoryId;
  readonly agentId: AgentId;
  readonly content: string;
  readonly tags: readonly string[];
  readonly createdAtMs: number;
}

/** What was learned in a project, as far as somebody may see it. */
export interface FeedStore {
  /** Newest first. */
  list(filter: FeedFilter): Promise<FeedItem[]>;
  /** Newest first. */
  listMemories(filter: MemoryFilter): Promise<KnownMemory[]>;
}
