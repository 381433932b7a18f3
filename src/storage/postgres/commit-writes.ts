import { RuntimeError } from '../../core/errors.ts';
import type { Ids, RunId } from '../../core/ids.ts';
import type { Logger } from '../../core/log.ts';
import type { Database } from './database.ts';
import type { DatabaseClock } from './database-clock.ts';
import { classifyFault, toStorageFault } from './faults.ts';
import type { HeldRuns } from './runs/held-runs.ts';
import { loadBatch } from './runs/load-batch.ts';
import { isStored, planQuickly, type QuickPlan } from './runs/quick-plan.ts';
import { type QuickAnswer, toQuickStatement } from './runs/quick-statement.ts';
import type { RecentEvents } from './runs/recent-events.ts';
import { createRunBatch, type RunBatch } from './runs/run-batch.ts';
import type { RunWrite } from './runs/run-write.ts';
import { saveBatch } from './runs/save-batch.ts';
import { settleWrites } from './runs/settle-writes.ts';
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
  readonly recent: Pick<RecentEvents, 'begin' | 'note'>;
  readonly held: HeldRuns;
  readonly clock: DatabaseClock;
}

/** Commits a batch as one transaction. When the batch fails, each write is tried alone: only the culprit fails. */
export async function commitWrites(
  deps: CommitDeps,
  writes: readonly RunWrite[],
): Promise<readonly Settled[]> {
  try {
    return (await commitQuickly(deps, writes)) ?? (await commitTogether(deps, writes));
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

/** In one statement, from what is known here. Undefined when that was not enough: then nothing is stored. */
async function commitQuickly(
  deps: CommitDeps,
  writes: readonly RunWrite[],
): Promise<readonly Settled[] | undefined> {
  const plan = planQuickly(deps, writes);
  if (!plan) return undefined;
  const begun = deps.recent.begin();
  let answer: QuickAnswer | undefined;
  try {
    [answer] = await deps.database.writeUnrepeated<QuickAnswer>(toQuickStatement(plan.quick));
  } catch (thrown) {
    for (const { id } of plan.quick.expected) deps.held.forget(id);
    // What the server refused it has not stored, and a transaction finds out what was wrong.
    if (classifyFault(thrown) !== 'connection') return undefined;
    return commitInDoubt(deps, writes, { ...plan, begun });
  }
  if (answer) deps.clock.learn(answer.nowMs);
  if (answer?.isStored) {
    wakeReaders(deps, { batch: plan.quick.batch, begun });
    return plan.settled;
  }
  for (const { id } of plan.quick.expected) deps.held.forget(id);
  return undefined;
}

interface SentPlan extends QuickPlan {
  readonly begun: number;
}

/**
 * The answer to a statement got lost, and it may still be running. Under the locks of its runs it has ended or fails its
 * own check afterwards. A run that it makes has no lock: of two that store the same one the second fails, and then the
 * first is there to be seen.
 */
async function commitInDoubt(
  deps: CommitDeps,
  writes: readonly RunWrite[],
  plan: SentPlan,
): Promise<readonly Settled[]> {
  try {
    return await commitTogether(deps, writes, plan).catch((thrown) => {
      if (isCommonFate(toStorageFault(thrown))) throw thrown;
      return commitTogether(deps, writes, plan);
    });
  } catch (cause) {
    throw new RuntimeError('storage_unavailable', 'postgres was lost while committing', {
      cause,
      details: { outcome: 'unknown' },
    });
  }
}

/** An unreachable database fails them all alike, and a commit in doubt must not be repeated. */
function isCommonFate(error: RuntimeError): boolean {
  return classifyFault(error.cause) === 'connection' || error.details?.['outcome'] === 'unknown';
}

/** With the plan of a statement that may have taken effect already: then nothing is written again. */
async function commitTogether(
  deps: CommitDeps,
  writes: readonly RunWrite[],
  doubtful?: SentPlan,
): Promise<readonly Settled[]> {
  const begun = doubtful?.begun ?? deps.recent.begin();
  const { batch, settled } = await deps.database.transact(async (transaction) => {
    const [loaded, isDone] = await Promise.all([
      loadBatch(transaction, writes, deps.nowMs?.()),
      doubtful ? isStored(transaction, doubtful) : false,
    ]);
    const { xid, nowMs } = loaded;
    deps.clock.learn(nowMs);
    if (doubtful && isDone) {
      const value = { batch: doubtful.quick.batch, settled: doubtful.settled };
      return { value, writes: [], xid };
    }
    const batch = createRunBatch({ ids: deps.ids, node: deps.node, ...loaded });
    const settled: readonly Settled[] = settleWrites(writes, batch);
    return { value: { batch, settled }, writes: saveBatch(batch), xid };
  });
  wakeReaders(deps, { batch, begun });
  return settled;
}

interface Committed {
  readonly batch: RunBatch;
  /** What `recent` said before it was sent. */
  readonly begun: number;
}

/** After the commit. */
export function wakeReaders({ wake, recent, held }: CommitDeps, { batch, begun }: Committed): void {
  held.note(batch.allRuns());
  recent.note({ rows: batch.allRuns(), events: batch.events, begun });
  const runIds = new Set(batch.events.map((event) => event.runId));
  if (runIds.size > 0 || batch.isQueueWoken) wake([...runIds], batch.isQueueWoken);
}
