import type { EffectWrite } from '../../../core/effects/effect.ts';
import type { SealedDraft } from '../../../core/events/event.ts';
import type { RunId } from '../../../core/ids.ts';
import { isTerminal, type RunEnd } from '../../../core/runs/run.ts';
import { runNotFound } from '../../../core/runs/run-not-found.ts';
import type {
  AppendResult,
  CancelDrafts,
  CancelResult,
  FinishResult,
  LeaseRef,
  NoteResult,
  RecordMark,
} from '../../../core/runs/run-store.ts';
import type { Approvals } from '../effects/approval-writes.ts';
import { createLedger, type Ledger } from '../effects/effect-writes.ts';
import { getRow } from '../rows.ts';
import type { WriteContext } from '../write-context.ts';
import { type CheckLease, createCheckLease, isRefusal } from './check-lease.ts';
import type { AddEvents } from './event-writes.ts';
import { createAcceptFrame, createHasFrameAfter, createRestRun } from './frame-writes.ts';
import { createParkRun } from './park-run.ts';
import { getHead, type RunHead } from './run-heads.ts';
import { type RunRow, SELECT_RUN, toRun } from './run-row.ts';

export interface RunWriteParts {
  readonly addEvents: AddEvents;
  readonly approvals: Approvals;
}

/** Writes to one run. Each checks everything first: a refusal or a throw leaves the batch as it was. */
export function createRunWrites(context: WriteContext, { addEvents, approvals }: RunWriteParts) {
  const checkLease = createCheckLease(context);
  const ledger = createLedger(context);
  return {
    ...createLogWrites(context, { checkLease, ledger, addEvents }),
    park: createParkRun(context, { checkLease, addEvents, approvals }),
    rest: createRestRun(context, { checkLease, addEvents }),
    acceptFrame: createAcceptFrame(context, addEvents),
    requestCancel: createRequestCancel(context, { addEvents, ledger, approvals }),
    markRecorded: createMarkRecorded(context),
  };
}

export interface Ending {
  readonly end: RunEnd;
  readonly effects: readonly EffectWrite[] | undefined;
}

interface LogParts {
  readonly checkLease: CheckLease;
  readonly ledger: Ledger;
  readonly addEvents: AddEvents;
}

type Written = Extract<AppendResult, { readonly outcome: 'appended' }>;

function createLogWrites(context: WriteContext, { checkLease, ledger, addEvents }: LogParts) {
  const endRun = createEndRun(context);
  const hasFrameAfter = createHasFrameAfter(context);

  function write(
    head: RunHead,
    drafts: readonly SealedDraft[],
    effects: readonly EffectWrite[],
  ): Written {
    const planned = ledger.plan(head, effects);
    if (drafts.length > 0) addEvents(head, drafts);
    ledger.save(head, planned);
    return { outcome: 'appended', lastSeq: head.lastSeq };
  }

  function append(
    lease: LeaseRef,
    drafts: readonly SealedDraft[],
    effects: readonly EffectWrite[] = [],
  ): AppendResult {
    const head = checkLease(lease);
    return isRefusal(head) ? head : write(head, drafts, effects);
  }

  /** What is done in the run's name from outside its lease. */
  function note(
    runId: RunId,
    drafts: readonly SealedDraft[],
    effects: readonly EffectWrite[] = [],
  ): NoteResult {
    const head = getHead(context.heads, runId);
    if (isTerminal(head.status)) return { outcome: 'refused', reason: 'terminal' };
    return write(head, drafts, effects);
  }

  function finish(
    lease: LeaseRef,
    drafts: readonly SealedDraft[],
    { end, effects }: Ending,
  ): FinishResult {
    const head = checkLease(lease);
    if (isRefusal(head)) return head;
    const { unlessFrameAfter } = end;
    if (unlessFrameAfter !== undefined && hasFrameAfter(head, unlessFrameAfter)) {
      return { outcome: 'has_frames' };
    }
    const result = write(head, drafts, effects ?? []);
    ledger.closeOpen(head);
    endRun(head, end);
    return result;
  }

  return { append, finish, note };
}

export function createEndRun(context: WriteContext) {
  const update = context.db.prepare(`
    UPDATE runs SET
      status = ?, stop_reason = ?, error = ?,
      turns = ?, tool_calls = ?, input_tokens = ?, output_tokens = ?, cost_usd = ?,
      ended_at_ms = ?, final_seq = ?, final_hash = ?, awaits_frames = 0,
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
    // The next run of its session may start now.
    if (head.session) context.touchQueue();
  };
}

interface CancelParts extends RunWriteParts {
  readonly ledger: Ledger;
}

function createRequestCancel(context: WriteContext, parts: CancelParts) {
  const { addEvents, ledger, approvals } = parts;
  const { db } = context;
  const selectRun = db.prepare(`${SELECT_RUN} WHERE runs.id = ?`);
  const markCancelling = db.prepare(
    `UPDATE runs SET status = 'cancelling', cancel_requested = 1 WHERE no = ?`,
  );
  const markCancelled = db.prepare(`
    UPDATE runs SET
      status = 'cancelled', cancel_requested = 1, stop_reason = 'cancelled',
      awaits_frames = 0, ended_at_ms = ?, final_seq = ?, final_hash = ?, lease_expires_at_ms = NULL
    WHERE no = ?`);
  const endRun = createEndRun(context);

  return (runId: RunId, drafts: CancelDrafts): CancelResult => {
    const row = getRow<RunRow>(selectRun, runId);
    if (!row) throw runNotFound(runId);
    if (isTerminal(row.status) || row.cancel_requested === 1) {
      return { run: toRun(row), recorded: false };
    }
    const head = getHead(context.heads, runId);
    const { ending } = drafts;
    if (row.lease_id === null) {
      if (ending && ending.atSeq !== head.lastSeq) {
        return { run: toRun(row), recorded: false, isStale: true };
      }
      const planned = ledger.plan(head, ending?.effects ?? []);
      addEvents(head, [drafts.requested, ...(ending?.results ?? []), drafts.cancelled]);
      ledger.save(head, planned);
      ledger.closeOpen(head);
      approvals.withdraw(head);
      markCancelled.run(context.nowMs(), head.lastSeq, head.lastHash, head.no);
      if (ending) endRun(head, ending.end);
      else if (head.session) context.touchQueue();
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

  return (marks: readonly RecordMark[]): void => {
    for (const { runId, auditedSeq, bundled } of marks)
      mark.run(auditedSeq, bundled ? 1 : 0, runId);
  };
}
