import type { Approval, ApprovalFilter, ApprovalPage } from '../../core/approvals/approval.ts';
import type { ProposedChange } from '../../core/approvals/proposed-change.ts';
import type { StandingAnswer, StandingAnswers } from '../../core/approvals/standing-answers.ts';
import { toIso } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import type { ApprovalId, RunId } from '../../core/ids.ts';
import type { JsonValue } from '../../core/json.ts';
import { decodeIdCursor, encodeNext } from '../cursor.ts';
import type {
  ApprovalListShape,
  ApprovalPreviewShape,
  ApprovalQuery,
  ApprovalShape,
  StandingAnswerShape,
} from './approval-shapes.ts';

type DescribesStanding = Pick<StandingAnswers, 'describe'>;

export function encodeApproval(approval: Approval, standing: DescribesStanding): ApprovalShape {
  const { decidedAtMs } = approval;
  return {
    id: approval.id,
    run_id: approval.runId,
    agent_id: approval.agentId,
    session_id: approval.sessionId ?? null,
    request_id: approval.requestId,
    tool: approval.tool,
    tool_call_id: approval.callId,
    arguments: parseArguments(approval.input),
    input_digest: approval.inputDigest,
    reason: approval.reason,
    always: standing.describe(approval) ?? null,
    status: approval.status,
    created_at: toIso(approval.createdAtMs),
    expires_at: toIso(approval.expiresAtMs),
    decided_by: approval.decidedBy ?? null,
    decided_at: decidedAtMs === undefined ? null : toIso(decidedAtMs),
    note: approval.note ?? null,
  };
}

export function encodeApprovalPage(
  { approvals, next }: ApprovalPage,
  standing: DescribesStanding,
): ApprovalListShape {
  const encoded = approvals.map((approval) => encodeApproval(approval, standing));
  return { approvals: encoded, next_cursor: encodeNext(next) };
}

export function encodePreview(
  id: ApprovalId,
  change: ProposedChange | undefined,
): ApprovalPreviewShape {
  if (!change) return { approval_id: id, change: null };
  const { path, kind, diff, isCut } = change;
  return { approval_id: id, change: { path, kind, diff, truncated: isCut } };
}

export function encodeStandingAnswer(answer: StandingAnswer): StandingAnswerShape {
  const { id, allows, tool, rule } = answer;
  const isRule = rule.kind === 'rule';
  const where = isRule ? rule.rule.where : undefined;
  return {
    id,
    allows,
    tool,
    where: where
      ? { field: where.field, ...defined({ prefix: where.prefix, equals: where.equals }) }
      : null,
    command: isRule ? null : (rule.commands[0] ?? null),
  };
}

export function decodeApprovalQuery(query: ApprovalQuery): ApprovalFilter {
  const { status, run_id: runId, limit, cursor } = query;
  return {
    limit,
    ...defined({ status, runId: runId as RunId | undefined }),
    ...(cursor === undefined ? {} : { before: decodeIdCursor(cursor) as ApprovalId }),
  };
}

/** Stored as text; what another version wrote in another way is shown as it is. */
function parseArguments(input: string): ApprovalShape['arguments'] {
  try {
    return JSON.parse(input) as Exclude<JsonValue, undefined> as ApprovalShape['arguments'];
  } catch {
    return input;
  }
}
