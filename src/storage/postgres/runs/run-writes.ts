import type { EffectWrite } from '../../../core/effects/effect.ts';
import type { SealedDraft } from '../../../core/events/event.ts';
import type { RunId } from '../../../core/ids.ts';
import type { RunEnd } from '../../../core/runs/run.ts';
import type {
  AppendResult,
  CancelDrafts,
  CancelResult,
  FinishResult,
  LeaseRef,
  NoteResult,
  RecordMark,
} from '../../../core/runs/run-store.ts';
import { closeLedger, recordEffects } from './batch-ledger.ts';
import { getRun, refuse } from './check-lease.ts';
import type { RunBatch } from './run-batch.ts';
import { isEnded, type RunRow, toRun } from './run-row.ts';
import { hasMessages, type RunWrite, sizeOf } from './run-write.ts';

/** Events alone, under a lease: effects and messages have rows of their own that would have to be read. */
function isQuick(drafts: readonly SealedDraft[], effects: readonly EffectWrite[]): boolean {
  return drafts.length > 0 && effects.length === 0 && !hasMessages(drafts);
}

const toHeld = ({ runId, leaseId }: LeaseRef) => ({ kind: 'held', runId, leaseId }) as const;

export function appendWrite(
  lease: LeaseRef,
  drafts: readonly SealedDraft[],
  effects: readonly EffectWrite[] = [],
): RunWrite<AppendResult> {
  return {
    orderKeys: [lease.runId],
    bytes: sizeOf(drafts),
    runIds: [lease.runId],
    answersWithRun: false,
    addsMessages: hasMessages(drafts),
    effectIds: effects.map(({ id }) => id),
    ...(isQuick(drafts, effects) ? { lane: 'quick', quick: toHeld(lease) } : {}),
    apply: (batch) => {
      const row = getRun(batch, lease.runId);
      const refusal = refuse(row, lease);
      if (refusal) return refusal;
      recordEffects(batch, row, effects);
      if (drafts.length > 0) batch.record(row, drafts);
      return { outcome: 'appended', lastSeq: row.lastSeq };
    },
  };
}

/** What is done in the run's name from outside its lease. */
export function noteWrite(
  runId: RunId,
  drafts: readonly SealedDraft[],
  effects: readonly EffectWrite[] = [],
): RunWrite<NoteResult> {
  return {
    orderKeys: [runId],
    bytes: sizeOf(drafts),
    runIds: [runId],
    answersWithRun: false,
    addsMessages: hasMessages(drafts),
    effectIds: effects.map(({ id }) => id),
    apply: (batch) => {
      const row = getRun(batch, runId);
      if (isEnded(row)) return { outcome: 'refused', reason: 'terminal' };
      recordEffects(batch, row, effects);
      if (drafts.length > 0) batch.record(row, drafts);
      return { outcome: 'appended', lastSeq: row.lastSeq };
    },
  };
}

export interface Ending {
  readonly end: RunEnd;
  readonly effects: readonly EffectWrite[] | undefined;
}

export function finishWrite(
  lease: LeaseRef,
  drafts: readonly SealedDraft[],
  { end, effects = [] }: Ending,
): RunWrite<FinishResult> {
  return {
    orderKeys: [lease.runId],
    bytes: sizeOf(drafts, end.output),
    runIds: [lease.runId],
    answersWithRun: false,
    addsMessages: hasMessages(drafts),
    effectIds: effects.map(({ id }) => id),
    mayEnd: true,
    ...(isQuick(drafts, effects) ? { lane: 'quick', quick: toHeld(lease) } : {}),
    apply: (batch) => {
      const row = getRun(batch, lease.runId);
      const refusal = refuse(row, lease);
      if (refusal) return refusal;
      if (row.lastFrameSeq > (end.unlessFrameAfter ?? row.lastFrameSeq)) {
        return { outcome: 'has_frames' };
      }
      recordEffects(batch, row, effects);
      batch.record(row, drafts);
      endRow(batch, row, end);
      return { outcome: 'appended', lastSeq: row.lastSeq };
    },
  };
}

export function cancelWrite(runId: RunId, drafts: CancelDrafts): RunWrite<CancelResult> {
  const { ending } = drafts;
  const { results = [], effects = [] } = ending ?? {};
  const all = [drafts.requested, ...results, drafts.cancelled];
  return {
    orderKeys: [runId],
    bytes: sizeOf(all, ending?.end.output ?? ''),
    runIds: [runId],
    answersWithRun: true,
    addsMessages: hasMessages(all),
    effectIds: effects.map(({ id }) => id),
    mayEnd: true,
    apply: (batch) => {
      const row = getRun(batch, runId);
      if (isEnded(row) || row.cancelRequested) return { run: toRun(row), recorded: false };
      if (!row.lease && ending && ending.atSeq !== row.lastSeq) {
        return { run: toRun(row), recorded: false, isStale: true };
      }
      if (!row.lease) recordEffects(batch, row, effects);
      batch.record(row, [drafts.requested]);
      row.cancelRequested = true;
      if (row.lease) {
        row.status = 'cancelling';
      } else {
        batch.record(row, [...results, drafts.cancelled]);
        row.status = 'cancelled';
        row.stopReason = 'cancelled';
        endRow(batch, row, ending?.end);
      }
      return { run: toRun(row), recorded: true };
    },
  };
}

export function releaseWrite(leases: readonly LeaseRef[]): RunWrite<void> {
  const runIds = leases.map((lease) => lease.runId);
  return {
    orderKeys: runIds,
    bytes: sizeOf([]),
    runIds,
    answersWithRun: false,
    apply: (batch) => {
      for (const lease of leases) {
        const row = batch.findRun(lease.runId);
        if (!row || row.lease?.id !== lease.leaseId) continue;
        row.lease = undefined;
        batch.touch(row);
        batch.wakeQueue();
      }
    },
  };
}

export function markRecordedWrite(mark: RecordMark): RunWrite<void> {
  return {
    orderKeys: [mark.runId],
    bytes: sizeOf([]),
    runIds: [mark.runId],
    answersWithRun: false,
    apply: (batch) => {
      const row = batch.findRun(mark.runId);
      // Taken over meanwhile: the other node says when it is done.
      if (!row || (batch.node !== undefined && row.recorder !== batch.node)) return;
      row.auditedSeq = Math.max(row.auditedSeq, mark.auditedSeq);
      row.bundled = row.bundled || mark.bundled;
      batch.touch(row);
    },
  };
}

export function endRow(batch: RunBatch, row: RunRow, end: RunEnd | undefined): void {
  closeLedger(batch, row);
  if (end) {
    row.status = end.status;
    row.stopReason = end.stopReason;
    row.output = end.output;
    row.error = end.error;
    row.totals = end.totals;
  }
  row.recorder ??= batch.node;
  row.endedAtMs = batch.nowMs;
  row.awaitsFrames = false;
  row.lease = undefined;
  batch.touch(row);
  // The next run of its session may have waited for this.
  if (row.exchange !== undefined) batch.wakeQueue();
}
