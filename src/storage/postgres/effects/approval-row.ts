import type { Approval, ApprovalStatus } from '../../../core/approvals/approval.ts';
import type { AgentId, ApprovalId, RequestId, RunId, SessionId } from '../../../core/ids.ts';
import { decodeOwner } from '../../owner-column.ts';
import { bulkUpsert, type Column, names } from '../bulk.ts';
import type { RunWrite } from '../runs/run-write.ts';
import { decodeText, encodeText } from '../text-codec.ts';
import type { Transaction } from '../transact-once.ts';

export interface StoredApproval {
  readonly id: string;
  readonly run_id: string;
  readonly agent_id: string;
  readonly session_id: string | null;
  readonly owner: string | null;
  readonly request_id: string;
  readonly tool: string;
  readonly call_id: string;
  readonly input: string;
  readonly input_digest: string;
  readonly reason: string;
  readonly status: string;
  readonly created_at_ms: number;
  readonly expires_at_ms: number;
  readonly decided_by: string | null;
  readonly decided_at_ms: number | null;
  readonly note: string | null;
}

const optional = (text: string | undefined) => (text === undefined ? null : encodeText(text));

const COLUMNS: readonly Column<Approval>[] = [
  ['id', 'text', (approval) => approval.id],
  ['run_id', 'text', (approval) => approval.runId],
  ['agent_id', 'text', (approval) => approval.agentId],
  ['request_id', 'text', (approval) => approval.requestId],
  ['tool', 'text', (approval) => encodeText(approval.tool)],
  ['call_id', 'text', (approval) => encodeText(approval.callId)],
  ['input', 'text', (approval) => encodeText(approval.input)],
  ['input_digest', 'text', (approval) => approval.inputDigest],
  ['reason', 'text', (approval) => encodeText(approval.reason)],
  ['status', 'text', (approval) => approval.status],
  ['created_at_ms', 'bigint', (approval) => approval.createdAtMs],
  ['expires_at_ms', 'bigint', (approval) => approval.expiresAtMs],
  ['decided_by', 'text', (approval) => optional(approval.decidedBy)],
  ['decided_at_ms', 'bigint', (approval) => approval.decidedAtMs],
  ['note', 'text', (approval) => optional(approval.note)],
];

/** Whom a run acts for and where it belongs never change, so they are kept with the run only. */
export const APPROVAL_COLUMNS =
  `${names(COLUMNS)}, (select owner from runs where runs.id = approvals.run_id) as owner, ` +
  '(select session_id from runs where runs.id = approvals.run_id) as session_id';

export const UPSERT_APPROVALS = bulkUpsert({
  table: 'approvals',
  columns: COLUMNS,
  key: 'id',
  changing: ['status', 'decided_by', 'decided_at_ms', 'note'],
});

export function decodeApproval(stored: StoredApproval): Approval {
  return {
    id: stored.id as ApprovalId,
    runId: stored.run_id as RunId,
    agentId: stored.agent_id as AgentId,
    sessionId: (stored.session_id ?? undefined) as SessionId | undefined,
    owner: decodeOwner(stored.owner),
    requestId: stored.request_id as RequestId,
    tool: decodeText(stored.tool),
    callId: decodeText(stored.call_id),
    input: decodeText(stored.input),
    inputDigest: stored.input_digest,
    reason: decodeText(stored.reason),
    status: stored.status as ApprovalStatus,
    createdAtMs: stored.created_at_ms,
    expiresAtMs: stored.expires_at_ms,
    decidedBy: stored.decided_by === null ? undefined : decodeText(stored.decided_by),
    decidedAtMs: stored.decided_at_ms ?? undefined,
    note: stored.note === null ? undefined : decodeText(stored.note),
  };
}

const LOAD_NAMED = `select ${APPROVAL_COLUMNS} from approvals where id = any($1::text[])`;
const LOAD_PENDING =
  `select ${APPROVAL_COLUMNS} from approvals ` +
  `where run_id = any($1::text[]) and status = 'pending'`;

/** Read after the locks on their runs were granted, so nobody else changes them. */
export async function loadApprovals(
  transaction: Transaction,
  writes: readonly RunWrite[],
): Promise<Approval[]> {
  const ids = [...new Set(writes.flatMap((write) => write.approvalIds ?? []))];
  const ending = writes.flatMap((write) => (write.mayEnd ? write.runIds : []));
  const load = async (name: string, text: string, values: readonly string[]) =>
    values.length === 0
      ? []
      : await transaction.query<StoredApproval>({ name, text, values: [values] });
  const loaded = await Promise.all([
    load('load_approvals', LOAD_NAMED, ids),
    load('load_pending_approvals', LOAD_PENDING, ending),
  ]);
  return loaded.flat().map(decodeApproval);
}
