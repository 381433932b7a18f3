import type { Approval, ApprovalDecision, NewApproval } from '../core/approvals/approval.ts';
import { RuntimeError } from '../core/errors.ts';
import type { AgentId, ApprovalId, RunId, SessionId } from '../core/ids.ts';
import type { RunStatus } from '../core/runs/run.ts';

export interface AskingRun {
  readonly id: RunId;
  readonly agentId: AgentId;
  /** Read with its run; whoever only stores the question need not know. */
  readonly sessionId?: SessionId | undefined;
  readonly owner: string;
  readonly status: RunStatus;
}

/** The question of a run that is being parked. A run that is to be cancelled gets its answer at once. */
export function askApproval(asked: NewApproval, run: AskingRun, nowMs: number): Approval {
  const { id, requestId, tool, callId, input, inputDigest, reason, ttlMs } = asked;
  const approval: Approval = {
    id,
    runId: run.id,
    agentId: run.agentId,
    sessionId: run.sessionId,
    owner: run.owner,
    requestId,
    tool,
    callId,
    input,
    inputDigest,
    reason,
    status: 'pending',
    createdAtMs: nowMs,
    expiresAtMs: nowMs + ttlMs,
    decidedBy: undefined,
    decidedAtMs: undefined,
    note: undefined,
  };
  return run.status === 'cancelling' ? withdrawApproval(approval, nowMs) : approval;
}

/** Undefined when it may not be answered any more: one decision wins, and time wins over all of them. */
export function decideApproval(
  approval: Approval,
  decision: ApprovalDecision,
  at: { readonly runStatus: RunStatus; readonly nowMs: number },
): Approval | undefined {
  if (!isOpen(approval, at.runStatus) || approval.expiresAtMs <= at.nowMs) return undefined;
  const { status, by, note } = decision;
  return { ...approval, status, decidedBy: by, decidedAtMs: at.nowMs, note };
}

export function expireApproval(
  approval: Approval,
  at: { readonly runStatus: RunStatus; readonly nowMs: number },
): Approval | undefined {
  if (!isOpen(approval, at.runStatus) || approval.expiresAtMs > at.nowMs) return undefined;
  return { ...approval, status: 'expired', decidedAtMs: at.nowMs };
}

/** A cancelled run's question is denied, not expired: somebody did decide that the call is not made. */
export function withdrawApproval(approval: Approval, nowMs: number): Approval {
  return {
    ...approval,
    status: 'denied',
    decidedBy: 'system',
    decidedAtMs: nowMs,
    note: 'the run was cancelled',
  };
}

function isOpen(approval: Approval, runStatus: RunStatus): boolean {
  return approval.status === 'pending' && runStatus === 'waiting';
}

export function approvalNotFound(id: ApprovalId): RuntimeError {
  return new RuntimeError('not_found', `approval ${id} does not exist`);
}

export function approvalExists(id: ApprovalId): RuntimeError {
  return new RuntimeError('conflict', `approval ${id} exists already`);
}

/** A page is read in one go, and each may carry long arguments. */
export const MAX_PAGE_APPROVALS = 500;
