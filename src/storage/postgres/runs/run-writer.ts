import { type CommitDeps, commitWrites } from '../commit-writes.ts';
import { createWriteQueue } from '../write-queue.ts';
import type { RunWrite } from './run-write.ts';

/** Below the pool's size, so that a heartbeat finds a connection whatever the batches do. */
const MAX_IN_FLIGHT = 3;
const MAX_BATCH_WRITES = 256;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
const MAX_QUEUED_WRITES = 10_000;
const MAX_QUEUED_BYTES = 128 * 1024 * 1024;

/** Everything that changes runs, and what hangs on them, goes through here in batches. */
export interface RunWriter {
  submit<T>(write: RunWrite<T>): Promise<T>;
  /** Waits for the writes it has taken. */
  close(): Promise<void>;
}

export function openRunWriter(deps: CommitDeps): RunWriter {
  const queue = createWriteQueue<RunWrite>({
    maxInFlight: MAX_IN_FLIGHT,
    maxBatchWrites: MAX_BATCH_WRITES,
    maxBatchBytes: MAX_BATCH_BYTES,
    maxQueuedWrites: MAX_QUEUED_WRITES,
    maxQueuedBytes: MAX_QUEUED_BYTES,
    commit: (writes) => commitWrites(deps, writes),
  });
  return {
    submit: async <T>(write: RunWrite<T>) => (await queue.submit(write)) as T,
    close: queue.close,
  };
}
