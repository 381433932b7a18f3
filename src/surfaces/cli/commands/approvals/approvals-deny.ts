import { defineDecision } from './decide-approval.ts';

export const approvalsDeny = defineDecision({
  verb: 'deny',
  usage: 'APPROVAL [--note TEXT]',
  options: {},
  description:
    'The call is not made, and its run goes on without it. A question that was answered before or has expired is\n' +
    'refused. Through the running server, else in this process.',
  examples: ['claw approvals deny appr_01jv8z4q0k6c --note "not this host"'],
});
