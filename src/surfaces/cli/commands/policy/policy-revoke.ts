import { definePolicyChange } from './define-policy-change.ts';

export const policyRevoke = definePolicyChange({
  effect: 'revoke',
  done: 'taken from',
  description:
    'Also takes what the configuration grants to everybody. Kept over restarts, and in force at the next call. TOOL\n' +
    'may be a prefix that ends in *.',
  examples: ['claw policy revoke shell.exec', "claw policy revoke 'fs.*' --agent agent_2"],
});
