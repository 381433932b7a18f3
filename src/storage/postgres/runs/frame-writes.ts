import type { SealedDraft } from '../../../core/events/event.ts';
import { isOpen } from '../../../core/runs/run.ts';
import type { AcceptResult, LeaseRef, NewFrame, RestResult } from '../../../core/runs/run-store.ts';
import { getRun, refuse } from './check-lease.ts';
import { nameFrame, toFrameKey } from './frame-row.ts';
import { queueRun, type RunBatch } from './run-batch.ts';
import { isEnded, type RunRow } from './run-row.ts';
import { hasMessages, type RunWrite, sizeOf } from './run-write.ts';

export function acceptFrameWrite(frame: NewFrame, draft: SealedDraft): RunWrite<AcceptResult> {
  const key = toFrameKey(frame);
  const id = nameFrame(key);
  return {
    orderKeys: [frame.runId],
    bytes: sizeOf([draft], frame.frameId),
    runIds: [frame.runId],
    answersWithRun: false,
    addsMessages: hasMessages([draft]),
    frame: key,
    apply: (batch) => {
      const row = getRun(batch, frame.runId);
      const known = batch.frames.find(id);
      if (known) return { outcome: known.digest === frame.digest ? 'replayed' : 'conflict' };
      if (row.frames >= frame.maxFrames) return { outcome: 'full' };
      if (frame.needsReader && !isOpen(row.status)) {
        return { outcome: 'closed', status: row.status };
      }
      const seq = isEnded(row) ? undefined : record(batch, row, draft);
      if (!frame.isSilent) callRun(batch, row);
      const payload = seq === undefined ? draft.payload : undefined;
      const { frameId, digest } = frame;
      batch.frames.add({ ...key, id, frameId, digest, seq, payload, atMs: batch.nowMs });
      row.frames += 1;
      batch.touch(row);
      return { outcome: 'accepted', seq };
    },
  };
}

/** Answers with the `seq` of its event. */
function record(batch: RunBatch, row: RunRow, draft: SealedDraft): number {
  batch.record(row, [draft]);
  row.lastFrameSeq = row.lastSeq;
  return row.lastSeq;
}

/** A run that rests for want of frames goes to the queue. */
function callRun(batch: RunBatch, row: RunRow): void {
  if (!row.awaitsFrames) return;
  row.awaitsFrames = false;
  queueRun(batch, row);
}

export function restWrite(
  lease: LeaseRef,
  drafts: readonly SealedDraft[],
  framesThrough: number,
): RunWrite<RestResult> {
  return {
    orderKeys: [lease.runId],
    bytes: sizeOf(drafts),
    runIds: [lease.runId],
    answersWithRun: false,
    addsMessages: hasMessages(drafts),
    apply: (batch) => {
      const row = getRun(batch, lease.runId);
      const refusal = refuse(row, lease);
      if (refusal) return refusal;
      if (drafts.length > 0) batch.record(row, drafts);
      const { lastSeq } = row;
      if (row.status === 'cancelling') return { outcome: 'cancelling', lastSeq };
      if (row.lastFrameSeq > framesThrough) return { outcome: 'has_frames', lastSeq };
      row.lease = undefined;
      row.parked = true;
      row.awaitsFrames = true;
      row.status = 'waiting';
      batch.touch(row);
      // The next run of its session may start now.
      if (row.exchange !== undefined) batch.wakeQueue();
      return { outcome: 'rested', lastSeq };
    },
  };
}
