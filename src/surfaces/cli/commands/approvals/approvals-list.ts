import { APPROVAL_STATUSES } from '../../../../core/approvals/approval.ts';
import { listApprovals } from '../../../../operations/approvals/approvals.ts';
import { askApprovals } from '../../ask/ask-approvals.ts';
import { DEFAULT_LIMIT, pageOptions, parseRunOption, RUN_OPTION } from '../../page-options.ts';
import { formatDate, formatTable, moreLine } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';

const MAX_LIMIT = 200;

export const approvalsList = defineCommand({
  usage: '[--status STATUS] [--run RUN] [--limit N] [--cursor CURSOR]',
  description:
    'What policy wants a person to decide. While a question is pending its run waits. Newest first. Asks the running\n' +
    'server, else reads the database.',
  args: { min: 0, max: 0 },
  options: {
    status: {
      kind: 'choice',
      value: 'STATUS',
      choices: APPROVAL_STATUSES,
      summary: `only those with this status: ${APPROVAL_STATUSES.join(', ')}`,
    },
    run: RUN_OPTION,
    ...pageOptions(MAX_LIMIT),
  },
  examples: [
    'claw approvals list --status pending',
    'claw approvals list --run run_01jv8z4q0k6c --output-format json',
  ],
  async run({ options }, context) {
    const { status, cursor, limit = DEFAULT_LIMIT } = options;
    const run = parseRunOption(options.run, 'approvals list');
    const query = { status, run_id: run, limit, cursor };
    return askApprovals(context, listApprovals, { query });
  },
  fields: ({ via, answer: { approvals, next_cursor } }) => ({
    approvals_count: approvals.length,
    approvals,
    next_cursor,
    via,
  }),
  text({ answer: { approvals, next_cursor: next } }, style) {
    if (approvals.length === 0) return '(no approvals)';
    const rows = approvals.map((approval) => [
      approval.id,
      approval.status,
      formatDate(approval.created_at),
      toOneLine(approval.tool, 60),
      toOneLine(JSON.stringify(approval.arguments), Math.max(20, style.width - 100)),
    ]);
    return [formatTable(rows), ...moreLine(next, style)].join('\n');
  },
});
