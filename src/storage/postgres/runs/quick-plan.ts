import type { Ids, RunId } from '../../../core/ids.ts';
import type { DatabaseClock } from '../database-clock.ts';
import type { Statement } from '../statement.ts';
import type { Transaction } from '../transact-once.ts';
import type { Settled } from '../write-queue.ts';
import type { HeldRuns } from './held-runs.ts';
import type { Expected, QuickBatch } from './quick-statement.ts';
import { createRunBatch } from './run-batch.ts';
import type { RunRow } from './run-row.ts';
import type { QuickWrite, RunWrite } from './run-write.ts';
import { settleWrites } from './settle-writes.ts';

export interface QuickDeps {
  readonly ids: Ids;
  readonly node: string | undefined;
  readonly nowMs: (() => number) | undefined;
  readonly clock: Pick<DatabaseClock, 'nowMs'>;
  readonly held: Pick<HeldRuns, 'find'>;
}

/** What is to be stored, and what each write is answered when it is. */
export interface QuickPlan {
  readonly quick: QuickBatch;
  readonly settled: readonly Settled[];
}

/** Further ahead than clocks of nodes differ: then the database says itself what time it is. */
const MAX_AHEAD_MS = 1_000;

/** Decides the writes from memory. Undefined when something has to be read first. */
export function planQuickly(deps: QuickDeps, writes: readonly RunWrite[]): QuickPlan | undefined {
  const known = findRows(deps.held, writes);
  const toldMs = deps.nowMs?.() ?? deps.clock.nowMs();
  if (!known || toldMs === undefined) return undefined;
  const rows = [...known.values()];
  // No event is older than the one before it.
  const nowMs = rows.reduce((latest, row) => Math.max(latest, row.updatedAtMs), toldMs);
  if (nowMs - toldMs > MAX_AHEAD_MS) return undefined;
  const ending = new Set(writes.flatMap((write) => (write.mayEnd ? write.runIds : [])));
  const expected = rows.map(
    ({ id, lastSeq, lease }): Expected => ({
      id,
      lastSeq,
      leaseId: lease?.id,
      isEnding: ending.has(id),
    }),
  );
  const batch = createRunBatch({ ...NOTHING, ids: deps.ids, node: deps.node, nowMs, rows });
  const settled = settleWrites(writes, batch);
  if (batch.events.length === 0) return undefined;
  const made = writes.flatMap(({ quick }) => (quick?.kind === 'created' ? [quick] : []));
  const agentIds = [...new Set(made.map(({ agentId }) => agentId))];
  const maxQueued = Math.min(...made.map((run) => run.maxQueued));
  return { quick: { batch, expected, agentIds, maxQueued }, settled };
}

/** What the statement makes sure of, or what writes of this kind do not ask for. */
const NOTHING = {
  due: [],
  sleeping: new Set<never>(),
  keys: [],
  queuedRuns: 0,
  effects: [],
  approvals: [],
  frames: [],
  sessions: { rows: [], busy: [], behind: [] },
};

function findRows(
  held: Pick<HeldRuns, 'find'>,
  writes: readonly RunWrite[],
): Map<RunId, RunRow> | undefined {
  const rows = new Map<RunId, RunRow>();
  for (const { quick } of writes) {
    if (quick === undefined) return undefined;
    if (quick.kind === 'created' || rows.has(quick.runId)) continue;
    const row = held.find(quick.runId);
    if (!row || !isHeldBy(row, quick)) return undefined;
    rows.set(row.id, row);
  }
  return rows;
}

function isHeldBy(row: RunRow, quick: QuickWrite): boolean {
  return quick.kind === 'held' && row.lease?.id === quick.leaseId;
}

const FIND_STORED = 'select 1 from events where run_id = $1 and seq = $2 and id = $3';

/** Whether the statement took effect whose answer got lost. All of it did, or nothing. */
export async function isStored(transaction: Transaction, { quick }: QuickPlan): Promise<boolean> {
  const [first] = quick.batch.events;
  if (!first) return false;
  const values = [first.runId, first.seq, first.id];
  const statement: Statement = { name: 'find_stored', text: FIND_STORED, values };
  return (await transaction.query(statement)).length > 0;
}
