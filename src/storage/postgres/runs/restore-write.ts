import { defined } from '../../../core/defined.ts';
import { RuntimeError } from '../../../core/errors.ts';
import { canonicalJson } from '../../../core/json.ts';
import type { RestoredRun } from '../../../core/records/record-store.ts';
import type { RunBatch } from './run-batch.ts';
import { newRunRow, type RunRow } from './run-row.ts';
import { type RunWrite, sizeOf } from './run-write.ts';
import { endRow } from './run-writes.ts';

/** Events come back as they were, with their times and hashes; only a closing one is new. */
export function restoreWrite(run: RestoredRun): RunWrite<void> {
  const { runId, events, after, closing, origin, end } = run;
  const payloads = events.map(({ payload }) => canonicalJson(payload));
  return {
    orderKeys: [runId],
    bytes: sizeOf([], ...payloads),
    runIds: [runId],
    answersWithRun: true,
    mayEnd: true,
    creation: { maxQueued: 0, idempotencyKey: origin?.idempotency?.key, sessionId: undefined },
    apply: (batch) => {
      const row = batch.findRun(runId) ?? addRow(batch, run);
      if (row?.lastSeq !== after.seq || row.lastHash !== after.hash) {
        throw new RuntimeError('conflict', `run ${runId} has other events in the database`);
      }
      batch.restore(row, events);
      if (closing) batch.record(row, [closing]);
      endRow(batch, row, end);
      const last = events.at(-1);
      if (!closing && last) row.endedAtMs = last.atMs;
    },
  };
}

function addRow(batch: RunBatch, { runId, agentId, origin, after }: RestoredRun) {
  if (origin === undefined || after.seq !== 0) return undefined;
  const { sessionId, projectId, thread, forkedFrom, idempotency } = origin;
  const row: RunRow = newRunRow(
    {
      id: runId,
      agentId,
      owner: origin.owner,
      source: origin.source,
      message: origin.message,
      ...defined({ sessionId, projectId, thread, forkedFrom }),
    },
    { exchange: undefined, jobId: undefined },
    origin.createdAtMs,
  );
  row.startedAtMs = origin.startedAtMs;
  batch.addRun(row);
  // A request that was repeated meanwhile has a run of its own by now, which keeps the key.
  if (idempotency && !batch.findKey(idempotency.key)) batch.addKey({ ...idempotency, run: row });
  return row;
}
