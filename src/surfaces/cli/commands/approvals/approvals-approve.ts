import { defineDecision } from './decide-approval.ts';

export const approvalsApprove = defineDecision({
  verb: 'approve',
  usage: 'APPROVAL [--always] [--note TEXT]',
  options: {
    always: {
      kind: 'flag',
      summary:
        'write the narrow rule that claw approvals show names, so that it is not asked again',
    },
  },
  description:
    'Lets this one call happen, with exactly the arguments that claw approvals show prints. With --always a rule is\n' +
    'written too, which claw policy list shows. A question that was answered before or has expired is refused.\n' +
    'Through the running server, else in this process.',
  examples: [
    'claw approvals approve appr_01jv8z4q0k6c',
    'claw approvals approve appr_01jv8z4q0k6c --always',
    'claw approvals approve appr_01jv8z4q0k6c --note "agreed with Ana"',
  ],
});
