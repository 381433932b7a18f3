import { parseId } from '../admin-arguments.ts';
import { APPROVAL_ID, formatApproval, namingApproval } from '../approval-text.ts';
import { defineCommand } from '../command.ts';
import { openLedger, withAdmin } from '../open-admin.ts';

export const approvalsShow = defineCommand({
  usage: 'APPROVAL',
  description: 'Asks the running server, else reads the database.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw approvals show appr_01jv8z4q0k6c'],
  async run({ args }, context) {
    const id = parseId(args[0], { command: 'approvals show', ...APPROVAL_ID });
    return withAdmin(openLedger(context), async (admin, via) => ({
      via,
      approval: await namingApproval(id, admin.getApproval(id)),
    }));
  },
  fields: ({ via, approval }) => ({ ...approval, via }),
  text: ({ approval }, style) => formatApproval(approval, style),
});
