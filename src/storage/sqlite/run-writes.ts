import type { SealedDraft } from '../../core/events/event.ts';
import type { RunId } from '../../core/ids.ts';
import { isTerminal, type RunEnd } from '../../core/runs/run.ts';
import { runNotFound } from '../../core/runs/run-not-found.ts';
import type {
  AppendResult,
  CancelDrafts,
  CancelResult,
  LeaseRef,
  RecordMark,
} from '../../core/runs/run-store.ts';
import type { AddEvents } from './event-writes.ts';
import { getRow } from './rows.ts';
import { getHead, type RunHead } from './run-heads.ts';
import { type RunRow, SELECT_RUN, toRun } from './run-row.ts';
import type { WriteContext } from './write-context.ts';

/** Writes to one run. Each checks everything first: a refusal or a throw leaves the batch as it was. */
export function createRunWrites(context: WriteContext, addEvents: AddEvents) {
  const endRun = createEndRun(context);

  /** The run's head when the lease may write, else why not. */
  function checkLease(lease: LeaseRef): RunHead | 'terminal' | 'lost_lease' {
    const head = getHead(context.heads, lease.runId);
    if (isTerminal(head.status)) return 'terminal';
    return head.leaseId === lease.leaseId ? head : 'lost_lease';
  }

  function append(lease: LeaseRef, drafts: readonly SealedDraft[]): AppendResult {
    const head = checkLease(lease);
    if (typeof head === 'string') return { outcome: 'refused', reason: head };
    if (drafts.length > 0) addEvents(head, drafts);
    return { outcome: 'appended', lastSeq: head.lastSeq };
  }

  function finish(lease: LeaseRef, drafts: readonly SealedDraft[], end: RunEnd): AppendResult {
    const head = checkLease(lease);
    if (typeof head === 'string') return { outcome: 'refused', reason: head };
    addEvents(head, drafts);
    endRun(head, end);
    return { outcome: 'appended', lastSeq: head.lastSeq };
  }

  return {
    append,
    finish,
    requestCancel: createRequestCancel(context, addEvents),
    markRecorded: createMarkRecorded(context),
  };
}

function createEndRun(context: WriteContext) {
  const update = context.db.prepare(`
    UPDATE runs SET
      status = ?, stop_reason = ?, error = ?,
      turns = ?, tool_calls = ?, input_tokens = ?, output_tokens = ?, cost_usd = ?,
      ended_at_ms = ?, final_seq = ?, final_hash = ?,
      lease_id = NULL, lease_owner = NULL, lease_expires_at_ms = NULL
    WHERE no = ?`);
  const setOutput = context.db.prepare('UPDATE run_texts SET output = ? WHERE run_no = ?');

  return (head: RunHead, { status, stopReason, error, totals, output }: RunEnd) => {
    const { turns, toolCalls, inputTokens, outputTokens, costUsd } = totals;
    const counts = [turns, toolCalls, inputTokens, outputTokens, costUsd];
    const end = [context.nowMs(), head.lastSeq, head.lastHash];
    const fault = error ? JSON.stringify({ code: error.code, message: error.message }) : null;
    update.run(status, stopReason, fault, ...counts, ...end, head.no);
    setOutput.run(JSON.stringify(output), head.no);
    context.heads.forget(head.id);
  };
}

function createRequestCancel(context: WriteContext, addEvents: AddEvents) {
  const { db } = context;
  const selectRun = db.prepare(`${SELECT_RUN} WHERE runs.id = ?`);
  const markCancelling = db.prepare(
    `UPDATE runs SET status = 'cancelling', cancel_requested = 1 WHERE no = ?`,
  );
  const markCancelled = db.prepare(`
    UPDATE runs SET
      status = 'cancelled', cancel_requested = 1, stop_reason = 'cancelled',
      ended_at_ms = ?, final_seq = ?, final_hash = ?, lease_expires_at_ms = NULL
    WHERE no = ?`);

  return (runId: RunId, drafts: CancelDrafts): CancelResult => {
    const row = getRow<RunRow>(selectRun, runId);
    if (!row) throw runNotFound(runId);
    if (isTerminal(row.status) || row.cancel_requested === 1) {
      return { run: toRun(row), recorded: false };
    }
    const head = getHead(context.heads, runId);
    if (row.lease_id === null) {
      addEvents(head, [drafts.requested, drafts.cancelled]);
      markCancelled.run(context.nowMs(), head.lastSeq, head.lastHash, head.no);
    } else {
      addEvents(head, [drafts.requested]);
      markCancelling.run(head.no);
    }
    context.heads.forget(runId);
    return { run: toRun(getRow<RunRow>(selectRun, runId) ?? row), recorded: true };
  };
}

function createMarkRecorded(context: WriteContext) {
  const mark = context.db.prepare(`
    UPDATE runs SET
      audited_seq = max(audited_seq, ?1),
      bundled = max(bundled, ?2),
      recorded = final_seq IS NOT NULL AND max(bundled, ?2) = 1 AND max(audited_seq, ?1) >= final_seq
    WHERE id = ?3`);

  return ({ runId, auditedSeq, bundled }: RecordMark): void => {
    mark.run(auditedSeq, bundled ? 1 : 0, runId);
  };
}
