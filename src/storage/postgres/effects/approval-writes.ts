import type {
  Approval,
  ApprovalDecision,
  DecideResult,
  NewApproval,
} from '../../../core/approvals/approval.ts';
import type { SealedDraft } from '../../../core/events/event.ts';
import type { ApprovalId, RunId } from '../../../core/ids.ts';
import type { RunStatus } from '../../../core/runs/run.ts';
import type { AppendResult, LeaseRef } from '../../../core/runs/run-store.ts';
import {
  approvalExists,
  approvalNotFound,
  askApproval,
  decideApproval,
  expireApproval,
} from '../../approval-rules.ts';
import { getRun, refuse } from '../runs/check-lease.ts';
import { queueRun } from '../runs/run-batch.ts';
import { hasMessages, type RunWrite, sizeOf } from '../runs/run-write.ts';

export function parkWrite(
  lease: LeaseRef,
  drafts: readonly SealedDraft[],
  asked: NewApproval,
): RunWrite<AppendResult> {
  return {
    orderKeys: [lease.runId],
    bytes: sizeOf(drafts, asked.input),
    runIds: [lease.runId],
    answersWithRun: false,
    addsMessages: hasMessages(drafts),
    approvalIds: [asked.id],
    apply: (batch) => {
      const row = getRun(batch, lease.runId);
      const refusal = refuse(row, lease);
      if (refusal) return refusal;
      if (batch.approvals.find(asked.id)) throw approvalExists(asked.id);
      batch.record(row, drafts);
      batch.approvals.put(askApproval(asked, row, batch.nowMs));
      row.lease = undefined;
      row.parked = true;
      // A run that is to be cancelled does not wait for an answer: the next runner ends it.
      if (row.status === 'cancelling') batch.wakeQueue();
      else row.status = 'waiting';
      return { outcome: 'appended', lastSeq: row.lastSeq };
    },
  };
}

export interface Answer {
  readonly id: ApprovalId;
  /** The run that asked. */
  readonly runId: RunId;
  readonly draft: SealedDraft;
}

export function decideWrite(answer: Answer, decision: ApprovalDecision): RunWrite<DecideResult> {
  return answerWrite(answer, (approval, at) => decideApproval(approval, decision, at));
}

export function expireWrite(answer: Answer): RunWrite<DecideResult> {
  return answerWrite(answer, expireApproval);
}

function answerWrite(
  { id, runId, draft }: Answer,
  decide: (
    approval: Approval,
    at: { readonly runStatus: RunStatus; readonly nowMs: number },
  ) => Approval | undefined,
): RunWrite<DecideResult> {
  return {
    orderKeys: [runId],
    bytes: sizeOf([draft]),
    runIds: [runId],
    answersWithRun: false,
    addsMessages: hasMessages([draft]),
    approvalIds: [id],
    apply: (batch) => {
      const row = getRun(batch, runId);
      const approval = batch.approvals.find(id);
      if (!approval) throw approvalNotFound(id);
      const decided = decide(approval, { runStatus: row.status, nowMs: batch.nowMs });
      if (!decided) return { outcome: 'refused', approval };
      batch.approvals.put(decided);
      batch.record(row, [draft]);
      queueRun(batch, row);
      return { outcome: 'decided', approval: decided };
    },
  };
}
