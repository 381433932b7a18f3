import type { AgentId, HandoffId, MemoryId, RunId } from '../ids.ts';

export const HANDOFF_STATES = ['open', 'running', 'done', 'failed'] as const;

/**
 * `open`: stored, and the receiver's run is still to be queued. `running`: that run exists, also while it waits for an
 * agent that sleeps. `done` and `failed`: it has ended, or never came to be.
 */
export type HandoffState = (typeof HANDOFF_STATES)[number];

/** Work that one agent gives to another, with all that is known of what came of it. */
export interface Handoff {
  readonly id: HandoffId;
  /** For whom it was handed over, and for whom the receiver's run acts. */
  readonly owner: string;
  readonly from: AgentId;
  readonly to: AgentId;
  readonly projectId: string;
  /** Verbatim, but for secrets. */
  readonly content: string;
  /** Every agent that it came through, from the first sender to the receiver. */
  readonly chain: readonly AgentId[];
  /** The run that handed it over; undefined when a caller did. */
  readonly parentRunId: RunId | undefined;
  /** Chosen with the hand-off, so that delivering it twice makes one run. */
  readonly runId: RunId;
  /** The shared memory of it, once it is written. */
  readonly memoryId: MemoryId | undefined;
  readonly state: HandoffState;
  /** The answer of the receiver's run. */
  readonly result: string | undefined;
  /** Why it failed. */
  readonly error: string | undefined;
  readonly createdAtMs: number;
  readonly endedAtMs: number | undefined;
  /** When the sender's inbox had the outcome. */
  readonly reportedAtMs: number | undefined;
}

export type NewHandoff = Pick<
  Handoff,
  'id' | 'owner' | 'from' | 'to' | 'projectId' | 'content' | 'parentRunId' | 'runId'
> & {
  /** The sender's name for it; the same again is the same hand-off. */
  readonly key?: string;
  /** There is no budget for new work: only what was given before is answered. */
  readonly isUnaffordable?: boolean;
};

/** How many times work may be handed on before somebody has to do it. */
export const MAX_DEPTH = 3;
/** By one run. */
export const MAX_PER_RUN = 16;
/** That wait to be queued for one agent. */
export const MAX_OPEN_PER_RECEIVER = 1_000;

export type GiveResult =
  | { readonly outcome: 'given'; readonly handoff: Handoff; readonly replayed: boolean }
  | { readonly outcome: 'unaffordable' }
  | { readonly outcome: 'other_handoff' | 'too_many' | 'receiver_full' | 'too_deep' | 'in_chain' };

export type HandoffEnd = Pick<Handoff, 'result' | 'error'> & {
  readonly state: 'done' | 'failed';
};

/** Each method is one transaction. */
export interface HandoffStore {
  /** Stores what is to be remembered, run and reported in one write. The rules of chains are decided in it. */
  give(handoff: NewHandoff): Promise<GiveResult>;
  find(id: HandoffId): Promise<Handoff | undefined>;
  /** Newest first. */
  list(filter: HandoffFilter): Promise<Handoff[]>;
  /** Still to be remembered or queued, oldest first. */
  listOpen(limit: number): Promise<Handoff[]>;
  /** Whose runs have ended, and who do not say so yet; oldest first. */
  listEnded(limit: number): Promise<Handoff[]>;
  /** Whose end is known and not reported, oldest first. */
  listUnreported(limit: number): Promise<Handoff[]>;
  /** Runs that somebody waits for. */
  listAwaited(limit: number): Promise<RunId[]>;
  noteMemory(id: HandoffId, memoryId: MemoryId): Promise<void>;
  /** Of one that is open; any other is left as it is. */
  noteQueued(id: HandoffId): Promise<void>;
  /** The first end stays. */
  end(id: HandoffId, end: HandoffEnd): Promise<void>;
  noteReported(id: HandoffId): Promise<void>;
}

export interface HandoffFilter {
  readonly owner?: string;
  readonly projectId?: string;
  /** As sender or as receiver. */
  readonly agentId?: AgentId;
  readonly state?: HandoffState;
  readonly limit: number;
  /** The last one of the page before. */
  readonly before?: HandoffId;
}
