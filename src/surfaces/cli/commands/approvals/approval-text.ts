import type { ApprovalShape } from '../../../../operations/approvals/approval-shapes.ts';
import { formatDate, formatFacts } from '../../print/layout.ts';
import { toOneLine, toPlainText } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';

const MAX_TEXT_CHARS = 400;

export const APPROVAL_ID = {
  thing: 'approval',
  hint: 'ids look like appr_01jv8z4q0k6c…; claw approvals list shows them',
} as const;

/** With all of the arguments: whoever answers must have been able to see what for. */
export function formatApproval(approval: ApprovalShape, style: Style): string {
  const facts = formatFacts(
    [
      ['approval', approval.id],
      ['status', paintStatus(approval.status, style)],
      ['tool', toOneLine(approval.tool, 100)],
      ['reason', toOneLine(approval.reason, MAX_TEXT_CHARS)],
      ['always', toOneLine(approval.always ?? '', MAX_TEXT_CHARS)],
      ['run', approval.run_id],
      ['agent', approval.agent_id],
      ['asked', formatDate(approval.created_at)],
      ['expires', formatDate(approval.expires_at)],
      ['decided', decision(approval)],
      ['note', toOneLine(approval.note ?? '', MAX_TEXT_CHARS)],
    ],
    style,
  );
  const given = toPlainText(JSON.stringify(approval.arguments, null, 2));
  return `${facts}\n\n${style.bold('arguments:')}\n${given}`;
}

function decision({ decided_at: at, decided_by: by }: ApprovalShape): string {
  if (at === null) return '';
  return by === null ? formatDate(at) : `${formatDate(at)} by ${toOneLine(by, 100)}`;
}

function paintStatus(status: ApprovalShape['status'], style: Style): string {
  switch (status) {
    case 'approved':
      return style.green(status);
    case 'denied':
      return style.red(status);
    case 'expired':
      return style.yellow(status);
    case 'pending':
      return style.cyan(status);
  }
}
