import type { RuntimeError } from '../../core/errors.ts';
import type { Ids, RunId } from '../../core/ids.ts';
import type { Logger } from '../../core/log.ts';
import type { Database } from './database.ts';
import { classifyFault, toStorageFault } from './faults.ts';
import { loadBatch } from './runs/load-batch.ts';
import type { RecentEvents } from './runs/recent-events.ts';
import { createRunBatch, type RunBatch } from './runs/run-batch.ts';
import type { RunWrite } from './runs/run-write.ts';
import { saveBatch } from './runs/save-batch.ts';
import type { Settled } from './write-queue.ts';

export interface CommitDeps {
  readonly database: Database;
  readonly ids: Ids;
  readonly logger: Logger;
  /** The time, where a test overrides the database's. */
  readonly nowMs: (() => number) | undefined;
  /** Whose records the runs are that are claimed here. */
  readonly node: string | undefined;
  /** Wakes this process's own readers after a commit, and never throws; the notification is for the others. */
  readonly wake: (runIds: readonly RunId[], queueTouched: boolean) => void;
  readonly recent: Pick<RecentEvents, 'note'>;
}

/** Commits a batch as one transaction. When the batch fails, each write is tried alone: only the culprit fails. */
export async function commitWrites(
  deps: CommitDeps,
  writes: readonly RunWrite[],
): Promise<readonly Settled[]> {
  try {
    return await commitTogether(deps, writes);
  } catch (thrown) {
    const error = toStorageFault(thrown);
    if (writes.length === 1 || isCommonFate(error)) return writes.map(() => ({ ok: false, error }));
    deps.logger.warn(
      { writes: writes.length, code: error.code },
      'batch failed, trying one by one',
    );
    const settled: Settled[] = [];
    for (const write of writes) settled.push(...(await commitWrites(deps, [write])));
    return settled;
  }
}

/** An unreachable database fails them all alike, and a commit in doubt must not be repeated. */
function isCommonFate(error: RuntimeError): boolean {
  return classifyFault(error.cause) === 'connection' || error.details?.['outcome'] === 'unknown';
}

async function commitTogether(deps: CommitDeps, writes: readonly RunWrite[]): Promise<Settled[]> {
  const { batch, settled } = await deps.database.transact(async (transaction) => {
    const loaded = await loadBatch(transaction, writes, deps.nowMs?.());
    const batch = createRunBatch({ ids: deps.ids, node: deps.node, ...loaded });
    const settled = writes.map((write) => settle(write, batch));
    return { value: { batch, settled }, writes: saveBatch(batch), xid: loaded.xid };
  });
  wakeReaders(deps, batch);
  return settled;
}

/** After the commit. */
export function wakeReaders({ wake, recent }: CommitDeps, batch: RunBatch): void {
  recent.note({ rows: batch.allRuns(), events: batch.events });
  const runIds = new Set(batch.events.map((event) => event.runId));
  if (runIds.size > 0 || batch.isQueueWoken) wake([...runIds], batch.isQueueWoken);
}

/** A write that throws has changed nothing, so the others go on without it. */
function settle(write: RunWrite, batch: RunBatch): Settled {
  try {
    return { ok: true, value: write.apply(batch) };
  } catch (thrown) {
    return { ok: false, error: toStorageFault(thrown) };
  }
}
