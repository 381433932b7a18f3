import { z } from 'zod';
import { APPROVAL_STATUSES } from '../../core/approvals/approval.ts';
import { anyId, anyJson, isoDate, note, pageCursor, pageLimit, runId } from '../fields.ts';

export const approval = z
  .object({
    id: z.string(),
    run_id: z.string(),
    agent_id: z.string(),
    session_id: z.string().nullable(),
    request_id: z.string(),
    tool: z.string(),
    tool_call_id: z.string(),
    arguments: anyJson.meta({ description: 'As they were stored, redacted.' }),
    input_digest: z.string(),
    reason: z.string(),
    always: z.string().nullable().meta({
      description:
        'What an approval with `always` would allow from then on; null when no rule can say it, or it is settled.',
    }),
    status: z.enum(APPROVAL_STATUSES),
    created_at: isoDate,
    expires_at: isoDate,
    decided_by: z.string().nullable(),
    decided_at: isoDate.nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'Approval' });

export const approvalList = z.object({
  approvals: z.array(approval),
  next_cursor: z.string().nullable(),
});

export const approvalPreview = z.object({
  approval_id: z.string(),
  change: z
    .object({
      path: z.string(),
      kind: z.enum(['create', 'change', 'delete']),
      diff: z
        .string()
        .meta({ description: 'As patch programs write it, redacted; empty: nothing changes.' }),
      truncated: z.boolean(),
    })
    .nullable()
    .meta({
      description:
        'What the call would make of a file as it is now; null for other calls, and when it can not be told.',
    }),
});

const standingAnswer = z
  .object({
    id: z.string(),
    allows: z.string().meta({ description: 'In words.' }),
    tool: z.string(),
    where: z
      .object({
        field: z.string(),
        prefix: z.string().optional(),
        equals: z.string().optional(),
      })
      .nullable()
      .meta({ description: 'Of an entry of `policy.rules`.' }),
    command: z
      .string()
      .nullable()
      .meta({ description: 'Of an entry of `shell.allowed_commands`.' }),
  })
  .meta({ id: 'StandingAnswer' });

export const standingAnswerList = z.object({ answers: z.array(standingAnswer) });

export const standingAnswerParams = z.strictObject({ answer_id: anyId });

export const standingAnswerRemoved = z.object({ removed: z.string() });

export const approvalParams = z.strictObject({ approval_id: anyId });

export const listApprovalsQuery = z.strictObject({
  status: z.enum(APPROVAL_STATUSES).optional(),
  run_id: runId.optional(),
  limit: pageLimit,
  cursor: pageCursor().optional(),
});

export const denyBody = z.strictObject({ note }).nullable();

export const approveBody = z
  .strictObject({
    note,
    always: z.boolean().optional().meta({
      description: 'Also write the rule that the approval names as `always`, in force at once.',
    }),
  })
  .nullable();

export type StandingAnswerShape = z.infer<typeof standingAnswer>;
export type ApprovalPreviewShape = z.infer<typeof approvalPreview>;
export type ApprovalShape = z.infer<typeof approval>;
export type ApprovalListShape = z.infer<typeof approvalList>;
export type ApprovalQuery = z.infer<typeof listApprovalsQuery>;
