import { getApproval } from '../../../../operations/approvals/approvals.ts';
import { parseId } from '../../admin-arguments.ts';
import { askApprovals, namingApproval } from '../../ask/ask-approvals.ts';
import { defineCommand } from '../../program/command.ts';
import { APPROVAL_ID, formatApproval } from './approval-text.ts';

export const approvalsShow = defineCommand({
  usage: 'APPROVAL',
  description: 'Asks the running server, else reads the database.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw approvals show appr_01jv8z4q0k6c'],
  async run({ args }, context) {
    const id = parseId(args[0], { command: 'approvals show', ...APPROVAL_ID });
    return namingApproval(id, askApprovals(context, getApproval, { params: { approval_id: id } }));
  },
  fields: ({ via, answer: approval }) => ({ ...approval, via }),
  text: ({ answer: approval }, style) => formatApproval(approval, style),
});
