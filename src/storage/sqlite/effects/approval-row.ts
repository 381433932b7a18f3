import type { Approval, ApprovalStatus } from '../../../core/approvals/approval.ts';
import type { AgentId, ApprovalId, RequestId, RunId, SessionId } from '../../../core/ids.ts';
import { decodeOwner } from '../../owner-column.ts';

export const SELECT_APPROVAL = `
  SELECT approvals.*, runs.id AS run_id, runs.agent_id, runs.session_id, runs.owner
  FROM approvals JOIN runs ON runs.no = approvals.run_no`;

export interface ApprovalRow {
  readonly id: ApprovalId;
  readonly run_id: RunId;
  readonly agent_id: AgentId;
  readonly session_id: SessionId | null;
  readonly owner: string | null;
  readonly request_id: RequestId;
  readonly tool: string;
  readonly call_id: string;
  readonly input: string;
  readonly input_digest: string;
  readonly reason: string;
  readonly status: ApprovalStatus;
  readonly created_at_ms: number;
  readonly expires_at_ms: number;
  readonly decided_by: string | null;
  readonly decided_at_ms: number | null;
  readonly note: string | null;
}

export function toApproval(row: ApprovalRow): Approval {
  return {
    id: row.id,
    runId: row.run_id,
    agentId: row.agent_id,
    sessionId: row.session_id ?? undefined,
    owner: decodeOwner(row.owner),
    requestId: row.request_id,
    tool: parseText(row.tool),
    callId: parseText(row.call_id),
    input: parseText(row.input),
    inputDigest: row.input_digest,
    reason: parseText(row.reason),
    status: row.status,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    decidedBy: row.decided_by === null ? undefined : parseText(row.decided_by),
    decidedAtMs: row.decided_at_ms ?? undefined,
    note: row.note === null ? undefined : parseText(row.note),
  };
}

function parseText(json: string): string {
  return JSON.parse(json) as string;
}
