import type { ClaimedRun, ClaimRequest } from '../../../core/runs/run-store.ts';
import type { RunBatch } from './run-batch.ts';
import { type RunRow, toRun } from './run-row.ts';
import { hasMessages, type RunWrite, sizeOf } from './run-write.ts';

/** Concurrent claims share a transaction like other writes, and are served the oldest due runs in their order. */
export function claimWrite(request: ClaimRequest): RunWrite<ClaimedRun | undefined> {
  const only = request.only === undefined ? [] : [request.only];
  const drafts = [request.started, request.recovered];
  return {
    orderKeys: only,
    bytes: sizeOf(drafts),
    runIds: only,
    answersWithRun: true,
    claims: request.only === undefined ? 'oldest' : 'named',
    addsMessages: hasMessages(drafts),
    apply: (batch) => {
      const row = findDue(batch, request);
      return row && take(batch, row, request);
    },
  };
}

function findDue(batch: RunBatch, { only }: ClaimRequest): RunRow | undefined {
  const candidates = only === undefined ? batch.due : [batch.findRun(only)];
  return candidates.find(
    (row) => row !== undefined && isDue(row, batch) && !batch.sessions.isBehind(row.id),
  );
}

/** Queued, given back, or left by a runner whose lease ran out. Asked again here: the batch may have changed it. */
function isDue(row: RunRow, { nowMs, isAsleep }: RunBatch): boolean {
  if (row.status === 'queued') return !row.isHeld && !isAsleep(row.agentId);
  if (row.status !== 'running' && row.status !== 'cancelling') return false;
  return row.lease === undefined || row.lease.expiresAtMs <= nowMs;
}

/** Gives a run to an owner, under a fresh id: whoever held it before is fenced off from now on. */
function take(batch: RunBatch, row: RunRow, request: ClaimRequest): ClaimedRun {
  const resumed = row.startedAtMs !== undefined;
  const expiresAtMs = batch.nowMs + request.leaseMs;
  const leaseId = batch.ids.lease();
  row.lease = { id: leaseId, owner: request.owner, expiresAtMs };
  // Who executes a run writes its records: the lines then lie where the work was done.
  row.recorder = batch.node ?? row.recorder;
  row.status = row.cancelRequested ? 'cancelling' : 'running';
  row.startedAtMs ??= batch.nowMs;
  // A run that comes back from waiting has lost nothing: its claim is neither a start nor a recovery.
  if (!resumed) batch.record(row, [request.started]);
  else if (!row.parked) batch.record(row, [request.recovered]);
  row.parked = false;
  batch.touch(row);
  return {
    run: toRun(row),
    lease: { id: leaseId, runId: row.id, expiresAtMs },
    resumed,
    cancelRequested: row.cancelRequested,
  };
}
