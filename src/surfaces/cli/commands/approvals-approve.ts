import { defineDecision } from '../decide-approval.ts';

export const approvalsApprove = defineDecision({
  verb: 'approve',
  status: 'approved',
  description:
    'Lets this one call happen, with exactly the arguments that claw approvals show prints. A question that was\n' +
    'answered before or has expired is refused. Through the running server, else in this process.',
  examples: [
    'claw approvals approve appr_01jv8z4q0k6c',
    'claw approvals approve appr_01jv8z4q0k6c --note "agreed with Ana"',
  ],
});
