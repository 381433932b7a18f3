import { RuntimeError } from '../../core/errors.ts';
import type { SealedDraft } from '../../core/events/event.ts';
import type { RunId } from '../../core/ids.ts';
import { isTerminal, type RunEnd } from '../../core/runs/run.ts';
import type {
  AppendResult,
  CancelDrafts,
  CancelResult,
  LeaseRef,
  RecordMark,
} from '../../core/runs/run-store.ts';
import type { AddEvents, LogEnd } from './event-writes.ts';
import { type RunRow, SELECT_RUN, toRun } from './run-row.ts';
import { getRow, type WriteContext } from './write-context.ts';

type Guarded = LogEnd & Pick<RunRow, 'status' | 'lease_id'>;

/** Writes to one run. Each checks everything first: a refusal or a throw leaves the batch as it was. */
export function createRunWrites(context: WriteContext, addEvents: AddEvents) {
  const { db } = context;
  const selectGuarded = db.prepare(
    'SELECT no, id, agent_id, status, lease_id, last_seq, last_hash FROM runs WHERE id = ?',
  );

  function checkLease(lease: LeaseRef): Guarded | 'terminal' | 'lost_lease' {
    const run = getRow<Guarded>(selectGuarded, lease.runId);
    if (!run) throw notFound(lease.runId);
    if (isTerminal(run.status)) return 'terminal';
    return run.lease_id === lease.leaseId ? run : 'lost_lease';
  }

  const endRun = createEndRun(context);

  function append(lease: LeaseRef, drafts: readonly SealedDraft[]): AppendResult {
    const run = checkLease(lease);
    if (typeof run === 'string') return { outcome: 'refused', reason: run };
    if (drafts.length === 0) return { outcome: 'appended', lastSeq: run.last_seq };
    return { outcome: 'appended', lastSeq: addEvents(run, drafts).last_seq };
  }

  function finish(lease: LeaseRef, drafts: readonly SealedDraft[], end: RunEnd): AppendResult {
    const run = checkLease(lease);
    if (typeof run === 'string') return { outcome: 'refused', reason: run };
    const { last_seq } = addEvents(run, drafts);
    endRun(run.no, end);
    return { outcome: 'appended', lastSeq: last_seq };
  }

  return {
    append,
    finish,
    requestCancel: createRequestCancel(context, addEvents),
    markRecorded: createMarkRecorded(context),
  };
}

function notFound(runId: RunId): RuntimeError {
  return new RuntimeError('not_found', `run ${runId} does not exist`);
}

function createEndRun(context: WriteContext) {
  const update = context.db.prepare(`
    UPDATE runs SET
      status = ?, stop_reason = ?, error = ?,
      turns = ?, tool_calls = ?, input_tokens = ?, output_tokens = ?, cost_usd = ?,
      ended_at_ms = ?, lease_id = NULL, lease_owner = NULL, lease_expires_at_ms = NULL
    WHERE no = ?`);
  const setOutput = context.db.prepare('UPDATE run_texts SET output = ? WHERE run_no = ?');

  return (no: number, { status, stopReason, error, totals, output }: RunEnd) => {
    const { turns, toolCalls, inputTokens, outputTokens, costUsd } = totals;
    const counts = [turns, toolCalls, inputTokens, outputTokens, costUsd];
    const fault = error ? JSON.stringify({ code: error.code, message: error.message }) : null;
    update.run(status, stopReason, fault, ...counts, context.nowMs(), no);
    setOutput.run(JSON.stringify(output), no);
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
      ended_at_ms = ?, lease_expires_at_ms = NULL
    WHERE no = ?`);

  return (runId: RunId, drafts: CancelDrafts): CancelResult => {
    const row = getRow<RunRow>(selectRun, runId);
    if (!row) throw notFound(runId);
    if (isTerminal(row.status) || row.cancel_requested === 1) {
      return { run: toRun(row), recorded: false };
    }
    if (row.lease_id === null) {
      addEvents(row, [drafts.requested, drafts.cancelled]);
      markCancelled.run(context.nowMs(), row.no);
    } else {
      addEvents(row, [drafts.requested]);
      markCancelling.run(row.no);
    }
    const after = getRow<RunRow>(selectRun, runId);
    return { run: toRun(after ?? row), recorded: true };
  };
}

function createMarkRecorded(context: WriteContext) {
  const mark = context.db.prepare(`
    UPDATE runs SET
      audited_seq = max(audited_seq, ?1),
      bundled = max(bundled, ?2),
      recorded = ended_at_ms IS NOT NULL AND max(bundled, ?2) = 1 AND max(audited_seq, ?1) >= last_seq
    WHERE id = ?3`);

  return ({ runId, auditedSeq, bundled }: RecordMark): void => {
    mark.run(auditedSeq, bundled ? 1 : 0, runId);
  };
}
