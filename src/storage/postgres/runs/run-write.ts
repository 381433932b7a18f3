import type { SealedDraft } from '../../../core/events/event.ts';
import type {
  AgentId,
  ApprovalId,
  LeaseId,
  RequestId,
  RunId,
  SessionId,
} from '../../../core/ids.ts';
import type { QueuedWrite } from '../write-queue.ts';
import type { FrameKey } from './batch-frames.ts';
import type { RunBatch } from './run-batch.ts';

/**
 * One call of the port, waiting for a batch. `apply` decides under the locks and changes the batch, or throws before
 * it has changed anything; it may be called again with a fresh batch.
 */
export interface RunWrite<T = unknown> extends QueuedWrite {
  /** Runs to lock. */
  readonly runIds: readonly RunId[];
  /** Whether the answer carries the run, message and output included. */
  readonly answersWithRun: boolean;
  readonly creation?: Creation;
  /** Whether it takes the oldest run that is due, whichever that is, or the one it names. */
  readonly claims?: 'oldest' | 'named';
  /** Whether what it records may belong to the sessions of its runs. */
  readonly addsMessages?: boolean;
  readonly effectIds?: readonly RequestId[];
  readonly approvalIds?: readonly ApprovalId[];
  /** The frame that it may add. */
  readonly frame?: FrameKey;
  /** Whether it may end its runs: what they leave open is then settled with them. */
  readonly mayEnd?: boolean;
  /** Set when it can be committed without reading anything first. */
  readonly quick?: QuickWrite;
  apply(batch: RunBatch): T;
}

/**
 * A write that can be decided from what this process knows already: a run that it holds and has just written, or one
 * that it makes and starts. Whether that is still so is asked in the statement that stores it.
 */
export type QuickWrite =
  | { readonly kind: 'held'; readonly runId: RunId; readonly leaseId: LeaseId }
  | { readonly kind: 'created'; readonly agentId: AgentId; readonly maxQueued: number };

interface Creation {
  readonly maxQueued: number;
  readonly idempotencyKey: string | undefined;
  readonly sessionId: SessionId | undefined;
}

/** Rough size of a row without its texts. */
const BASE_BYTES = 512;

export function sizeOf(drafts: readonly SealedDraft[], ...texts: readonly string[]): number {
  let bytes = BASE_BYTES;
  for (const { payload, message } of drafts) {
    bytes += BASE_BYTES + payload.length + (message ? BASE_BYTES + message.content.length : 0);
  }
  for (const text of texts) bytes += text.length;
  return bytes;
}

export function hasMessages(drafts: readonly SealedDraft[]): boolean {
  return drafts.some((draft) => draft.message !== undefined);
}
