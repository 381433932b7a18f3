import type { AgentId, MemoryId } from '../ids.ts';
import type { JsonObject } from '../json.ts';

/** A remembered text, verbatim, with where it comes from. Long ones are split for search and found as one. */
export interface Memory {
  readonly id: MemoryId;
  /** Whose it is: `operator`, or a principal such as `user:42`. */
  readonly owner: string;
  readonly agentId: AgentId;
  readonly projectId: string;
  /** The conversation it belongs to, in the words of whoever brought it. */
  readonly sessionId: string | undefined;
  readonly content: string;
  /** `chat`, `web`, `file`, `system`, `tool`, … */
  readonly source: string;
  readonly tags: readonly string[];
  /** When what it tells was said; the order inside a conversation, then arrival. */
  readonly timestampMs: number;
  /** Members of the caller's metadata that we do not know, kept for it. */
  readonly extra: JsonObject;
  /** 0 to 15. */
  readonly priorityScore: number;
  readonly pinned: boolean;
  /** Written by an agent whose memory was private: nobody else ever sees it. */
  readonly isPrivate: boolean;
  /** False for what strangers wrote: it is never told to a model as an instruction. */
  readonly isTrusted: boolean;
  readonly accessCount: number;
  readonly accessedAtMs: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Counts up over all memories with every change: who has seen up to one asks for those after it. */
  readonly revision: number;
}
