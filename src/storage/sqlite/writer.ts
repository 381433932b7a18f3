import { RuntimeError } from '../../core/errors.ts';
import type { BatchReport, WriteOutcome } from './batch-executor.ts';
import type { WriteOpName, WriteOps, WriteRequest } from './write-ops.ts';

/** The one way into the database for changes. Writes of one caller are performed in the order they were submitted. */
export interface Writer {
  submit<Op extends WriteOpName>(
    op: Op,
    ...args: Parameters<WriteOps[Op]>
  ): Promise<ReturnType<WriteOps[Op]>>;
  /** Performs what was submitted, then releases the connection. */
  close(): Promise<void>;
}

/** A batch as it was committed: each write with its outcome. */
export interface CommittedBatch extends BatchReport {
  readonly writes: readonly WriteRequest[];
}

interface WriterEvents {
  /** After commit, and before those who wait for one of its writes go on. */
  onCommitted(batch: CommittedBatch): void;
  /** Another connection, most likely of another process, has changed the database, or a writer that told nobody. */
  onForeignCommit(): void;
  /** Others may have written since this writer was asked for, and it has not noticed. From now on it does. */
  onLooking(): void;
}

export interface WriterConfig extends WriterEvents {
  readonly file: string;
  /** The store's clock, when it is not the system's. */
  readonly nowMs: (() => number) | undefined;
}

/** Above this many unanswered writes the disk can't keep up, and waiting longer would only grow memory. */
export const MAX_PENDING_WRITES = 10_000;

export interface PendingWrite extends WriteRequest {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: RuntimeError) => void;
}

export function settle(write: PendingWrite, outcome: WriteOutcome): void {
  if (outcome.ok) write.resolve(outcome.value);
  else write.reject(outcome.error);
}

export function queueFull(): RuntimeError {
  return new RuntimeError('storage_unavailable', 'storage is unavailable: the write queue is full');
}

export function storageClosed(): RuntimeError {
  return new RuntimeError('storage_unavailable', 'storage is closed');
}
