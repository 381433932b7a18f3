import { definePolicyChange } from './define-policy-change.ts';

export const policyGrant = definePolicyChange({
  effect: 'grant',
  done: 'granted to',
  description:
    'Kept over restarts, and in force at the next call. TOOL may be a prefix that ends in *; a whole name counts for\n' +
    'more than a prefix, and the last word more than the one before. Rules and permission modes still apply.',
  examples: [
    'claw policy grant http.request',
    "claw policy grant 'mcp__weather__*' --agent agent_2",
  ],
});
