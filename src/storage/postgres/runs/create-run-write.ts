import { RuntimeError } from '../../../core/errors.ts';
import type { SealedDraft } from '../../../core/events/event.ts';
import type { JobId } from '../../../core/ids.ts';
import type { Lease } from '../../../core/runs/run.ts';
import type { CreateOptions, CreateResult, NewRun } from '../../../core/runs/run-store.ts';
import type { RunBatch } from './run-batch.ts';
import { newRunRow, type RunRow, toRun } from './run-row.ts';
import { type RunWrite, sizeOf } from './run-write.ts';

/** Creations of one process share a batch or follow each other, so that the queue's bound holds exactly there. */
const CREATION_ORDER = 'create';

export interface Creating {
  readonly options: CreateOptions;
  /** The job that fires it. */
  readonly jobId?: JobId;
}

export function createRunWrite(
  run: NewRun,
  drafts: readonly SealedDraft[],
  { options, jobId }: Creating,
): RunWrite<CreateResult> {
  const { idempotency, maxQueued } = options;
  // Its key, its session or its slot would have to be looked at.
  const isFree = !idempotency && run.sessionId === undefined && jobId === undefined && !run.thread;
  const isQuick = isFree && options.lease !== undefined && !drafts.some(({ message }) => message);
  return {
    orderKeys: [CREATION_ORDER, run.id],
    bytes: sizeOf(drafts, run.message),
    runIds: [run.id],
    answersWithRun: true,
    ...(isQuick
      ? { lane: 'quick', quick: { kind: 'created', agentId: run.agentId, maxQueued } }
      : {}),
    creation: { maxQueued, idempotencyKey: idempotency?.key, sessionId: run.sessionId },
    apply: (batch) => {
      const known = idempotency && batch.findKey(idempotency.key);
      if (known) {
        if (known.digest !== idempotency.digest) return { outcome: 'conflict' };
        return { outcome: 'replayed', run: toRun(known.run) };
      }
      // Before there is talk of room: what is full may be so by this very run, created by a call whose answer got lost.
      if (batch.findRun(run.id)) {
        throw new RuntimeError('conflict', `run ${run.id} exists already`);
      }
      const refusal = refuse(batch, run, options);
      if (refusal) return refusal;
      const exchange = batch.sessions.addExchange(run);
      const isHeld = run.thread === undefined && batch.isAsleep(run.agentId);
      const row = newRunRow(run, { exchange, jobId, isHeld }, batch.nowMs);
      batch.addRun(row);
      batch.record(row, drafts);
      if (idempotency) batch.addKey({ ...idempotency, run: row });
      const isFree = !row.awaitsFrames && !isHeld && !batch.sessions.isBehind(row.id);
      const lease = isFree && options.lease ? start(batch, row, options.lease) : undefined;
      if (!lease && !row.awaitsFrames && !isHeld) batch.wakeQueue();
      return { outcome: 'created', run: toRun(row), lease };
    },
  };
}

function refuse(
  batch: RunBatch,
  { sessionId }: NewRun,
  { maxQueued, maxWaitingInSession = Number.POSITIVE_INFINITY }: CreateOptions,
): CreateResult | undefined {
  if (batch.queuedRuns >= maxQueued) return { outcome: 'queue_full' };
  if (sessionId === undefined) return undefined;
  const session = batch.sessions.find(sessionId);
  if (!session) return { outcome: 'session_missing' };
  if (session.closedAtMs !== undefined) return { outcome: 'session_closed' };
  const isFull = batch.queuedRunsOf(sessionId) >= maxWaitingInSession;
  return isFull ? { outcome: 'session_full' } : undefined;
}

function start(batch: RunBatch, row: RunRow, options: NonNullable<CreateOptions['lease']>): Lease {
  const expiresAtMs = batch.nowMs + options.leaseMs;
  row.lease = { id: batch.ids.lease(), owner: options.owner, expiresAtMs };
  row.recorder = batch.node;
  row.status = 'running';
  row.startedAtMs = batch.nowMs;
  batch.record(row, [options.started]);
  return { id: row.lease.id, runId: row.id, expiresAtMs };
}
