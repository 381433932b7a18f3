import type { Approval, ApprovalDecision, DecideResult } from '../../../core/approvals/approval.ts';
import type { SealedDraft } from '../../../core/events/event.ts';
import type { ApprovalId } from '../../../core/ids.ts';
import {
  approvalExists,
  approvalNotFound,
  decideApproval,
  expireApproval,
  withdrawApproval,
} from '../../approval-rules.ts';
import { QUEUED } from '../agent-status.ts';
import { allRows, getRow } from '../rows.ts';
import type { AddEvents } from '../runs/event-writes.ts';
import { getHead, type RunHead } from '../runs/run-heads.ts';
import type { WriteContext } from '../write-context.ts';
import { type ApprovalRow, SELECT_APPROVAL, toApproval } from './approval-row.ts';

export interface Approvals {
  find(id: ApprovalId): Approval | undefined;
  assertNew(id: ApprovalId): void;
  add(head: RunHead, approval: Approval): void;
  settle(approval: Approval): void;
  /** Answers what is still asked when the run is cancelled. */
  withdraw(head: RunHead): void;
}

export function createApprovals(context: WriteContext): Approvals {
  const { db } = context;
  const select = db.prepare(`${SELECT_APPROVAL} WHERE approvals.id = ?`);
  const selectPending = db.prepare(
    `${SELECT_APPROVAL} WHERE approvals.run_no = ? AND approvals.status = 'pending'`,
  );
  const insert = db.prepare(`
    INSERT INTO approvals (
      id, run_no, request_id, tool, call_id, input, input_digest, reason,
      status, created_at_ms, expires_at_ms, decided_by, decided_at_ms, note
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const update = db.prepare(
    'UPDATE approvals SET status = ?, decided_by = ?, decided_at_ms = ?, note = ? WHERE id = ?',
  );

  function find(id: ApprovalId): Approval | undefined {
    const row = getRow<ApprovalRow>(select, id);
    return row && toApproval(row);
  }

  function settle({ id, status, decidedBy, decidedAtMs, note }: Approval): void {
    update.run(status, toText(decidedBy), decidedAtMs ?? null, toText(note), id);
  }

  return {
    find,
    settle,

    assertNew(id) {
      if (find(id)) throw approvalExists(id);
    },

    add(head, { id, requestId, tool, callId, input, inputDigest, reason, status, ...rest }) {
      const call = [toText(tool), toText(callId), toText(input), inputDigest, toText(reason)];
      const times = [rest.createdAtMs, rest.expiresAtMs];
      const answer = [toText(rest.decidedBy), rest.decidedAtMs ?? null, toText(rest.note)];
      insert.run(id, head.no, requestId, ...call, status, ...times, ...answer);
    },

    withdraw(head) {
      for (const row of allRows<ApprovalRow>(selectPending, head.no)) {
        settle(withdrawApproval(toApproval(row), context.nowMs()));
      }
    },
  };
}

function toText(text: string | undefined): string | null {
  return text === undefined ? null : JSON.stringify(text);
}

/** Answers to questions: the row, the event, and the run's return to the queue. */
export function createAnswerWrites(
  context: WriteContext,
  addEvents: AddEvents,
  approvals: Approvals,
) {
  const requeue = context.db.prepare(`UPDATE runs SET ${QUEUED} WHERE no = ?`);

  function answer(
    id: ApprovalId,
    draft: SealedDraft,
    decide: (approval: Approval, head: RunHead) => Approval | undefined,
  ): DecideResult {
    const approval = approvals.find(id);
    if (!approval) throw approvalNotFound(id);
    const head = getHead(context.heads, approval.runId);
    const decided = decide(approval, head);
    if (!decided) return { outcome: 'refused', approval };
    approvals.settle(decided);
    addEvents(head, [draft]);
    requeue.run(head.no);
    context.heads.forget(head.id);
    context.touchQueue();
    return { outcome: 'decided', approval: decided };
  }

  return {
    decideApproval: (id: ApprovalId, decision: ApprovalDecision, draft: SealedDraft) =>
      answer(id, draft, (approval, { status }) =>
        decideApproval(approval, decision, { runStatus: status, nowMs: context.nowMs() }),
      ),

    expireApproval: (id: ApprovalId, draft: SealedDraft) =>
      answer(id, draft, (approval, { status }) =>
        expireApproval(approval, { runStatus: status, nowMs: context.nowMs() }),
      ),
  };
}
