import type { RunId } from '../../../core/ids.ts';
import type { Job } from '../../../core/schedule/job.ts';
import type { FireResult, FireSlot } from '../../../core/schedule/job-store.ts';
import { firingsOf, isStillDue, toFireResult } from '../../job-rules.ts';
import { type CommitDeps, wakeReaders } from '../commit-writes.ts';
import { toStorageFault } from '../faults.ts';
import { createRunWrite } from '../runs/create-run-write.ts';
import { loadBatch } from '../runs/load-batch.ts';
import { createRunBatch, type RunBatch } from '../runs/run-batch.ts';
import { saveBatch } from '../runs/save-batch.ts';
import type { Transaction } from '../transact-once.ts';
import { createWriteQueue, type QueuedWrite, type Settled } from '../write-queue.ts';
import { lockJob, lockScheduler, passSlot } from './job-writes.ts';

// Of removed jobs too: their runs go on.
const COUNT_OPEN =
  'select count(*) as runs from runs where job_id is not null and ended_at_ms is null';
const FIND_OPEN =
  'select id from runs where job_id = $1 and ended_at_ms is null order by created_at_ms, id limit 1';

const MAX_QUEUED_SLOTS = 10_000;
const MAX_QUEUED_BYTES = 128 * 1024 * 1024;

interface QueuedSlot extends QueuedWrite {
  readonly fired: FireSlot;
}

export interface Trigger {
  fire(fired: FireSlot): Promise<FireResult>;
  /** Waits for the slots it has taken. */
  close(): Promise<void>;
}

/**
 * All firing waits for one lock in the database. Slots of this process stand in line before that, so that they hold one
 * connection and not all of them.
 */
export function openTrigger(deps: CommitDeps): Trigger {
  const queue = createWriteQueue<QueuedSlot>({
    maxInFlight: 1,
    maxBatchWrites: 1,
    maxBatchBytes: MAX_QUEUED_BYTES,
    maxQueuedWrites: MAX_QUEUED_SLOTS,
    maxQueuedBytes: MAX_QUEUED_BYTES,
    commit: (batch) => Promise.all(batch.map(({ fired }) => settle(deps, fired))),
  });
  return {
    fire: async (fired) => {
      const { bytes } = toWrite(fired);
      return (await queue.submit({ orderKeys: [], bytes, fired })) as FireResult;
    },
    close: queue.close,
  };
}

async function settle(deps: CommitDeps, fired: FireSlot): Promise<Settled> {
  try {
    return { ok: true, value: await fireSlot(deps, fired) };
  } catch (thrown) {
    return { ok: false, error: toStorageFault(thrown) };
  }
}

function toWrite({ jobId, run, drafts, options }: FireSlot) {
  return createRunWrite(run, drafts, { options, jobId });
}

/** The slot, its run and its place in the history, in the one transaction that makes it fire once. */
async function fireSlot(deps: CommitDeps, fired: FireSlot): Promise<FireResult> {
  const write = toWrite(fired);
  const begun = deps.recent.begin();
  const { result, batch } = await deps.database.transact(async (transaction) => {
    const [{ isPaused }, job, obstacle, loaded] = await Promise.all([
      lockScheduler(transaction),
      lockJob(transaction, fired.jobId),
      findObstacle(transaction, fired),
      loadBatch(transaction, [write], deps.nowMs?.()),
    ]);
    const { xid } = loaded;
    const refusal = isPaused || !isDue(job, fired) ? TAKEN : obstacle;
    if (refusal) return { value: { result: refusal, batch: undefined }, writes: [], xid };
    const batch = createRunBatch({ ids: deps.ids, node: deps.node, ...loaded });
    const result = toFireResult(fired, write.apply(batch));
    const isFired = result.outcome === 'fired' && job !== undefined;
    const writes = isFired ? saveFired(batch, job, fired) : [];
    return { value: { result, batch: isFired ? batch : undefined }, writes, xid };
  });
  if (batch) wakeReaders(deps, { batch, begun });
  return result;
}

const TAKEN = { outcome: 'taken' } as const;

function isDue(job: Job | undefined, fired: FireSlot): boolean {
  return isStillDue(job, fired) && job.isEnabled;
}

function saveFired(batch: RunBatch, job: Job, fired: FireSlot) {
  return [...saveBatch(batch), ...passSlot(job, fired, firingsOf(fired, batch.nowMs))];
}

async function findObstacle(
  transaction: Transaction,
  { jobId, maxOpenRuns }: FireSlot,
): Promise<FireResult | undefined> {
  const [[own], [open]] = await Promise.all([
    transaction.query<{ id: RunId }>({ name: 'open_of_job', text: FIND_OPEN, values: [jobId] }),
    transaction.query<{ runs: number }>({ name: 'open_of_jobs', text: COUNT_OPEN, values: [] }),
  ]);
  if (own) return { outcome: 'overlap', runId: own.id };
  return (open?.runs ?? 0) >= maxOpenRuns ? { outcome: 'capacity' } : undefined;
}
