import type { RunStore } from '../../core/runs/run-store.ts';
import { claimWrite } from './claim-write.ts';
import { type CommitDeps, commitWrites } from './commit-writes.ts';
import { createRunWrite } from './create-run-write.ts';
import { renewLeases, takeOverLeases } from './lease-statements.ts';
import { countRunsByStatus, findRun, listRuns, listUnrecordedRuns } from './run-reads.ts';
import type { RunWrite } from './run-write.ts';
import {
  appendWrite,
  cancelWrite,
  finishWrite,
  markRecordedWrite,
  releaseWrite,
} from './run-writes.ts';
import { createWriteQueue } from './write-queue.ts';

/** Below the pool's size, so that a heartbeat finds a connection whatever the batches do. */
const MAX_IN_FLIGHT = 3;
const MAX_BATCH_WRITES = 256;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
const MAX_QUEUED_WRITES = 10_000;
const MAX_QUEUED_BYTES = 128 * 1024 * 1024;

export interface OpenRunStore extends RunStore {
  /** Waits for the writes it has taken. */
  close(): Promise<void>;
}

export function openRunStore(deps: CommitDeps): OpenRunStore {
  const { database } = deps;
  const queue = createWriteQueue<RunWrite>({
    maxInFlight: MAX_IN_FLIGHT,
    maxBatchWrites: MAX_BATCH_WRITES,
    maxBatchBytes: MAX_BATCH_BYTES,
    maxQueuedWrites: MAX_QUEUED_WRITES,
    maxQueuedBytes: MAX_QUEUED_BYTES,
    commit: (writes) => commitWrites(deps, writes),
  });
  const submit = async <T>(write: RunWrite<T>): Promise<T> => (await queue.submit(write)) as T;

  return {
    create: (run, drafts, options) => submit(createRunWrite(run, drafts, options)),
    find: (id) => findRun(database, id),
    list: (filter) => listRuns(database, filter),
    claim: (request) => submit(claimWrite(request)),
    renew: (leases, leaseMs) =>
      renewLeases(database, { leases, leaseMs, overrideNowMs: deps.nowMs?.() }),
    release: (leases) => submit(releaseWrite(leases)),
    takeOver: async (ownerPrefix) => {
      const freed = await takeOverLeases(database, ownerPrefix);
      if (freed > 0) deps.wake([], true);
      return freed;
    },
    append: (lease, drafts) => submit(appendWrite(lease, drafts)),
    finish: (lease, drafts, end) => submit(finishWrite(lease, drafts, end)),
    requestCancel: (runId, drafts) => submit(cancelWrite(runId, drafts)),
    listUnrecorded: (limit) => listUnrecordedRuns(database, limit),
    markRecorded: (mark) => submit(markRecordedWrite(mark)),
    countByStatus: () => countRunsByStatus(database),
    close: () => queue.close(),
  };
}
