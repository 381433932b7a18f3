import { setBudget } from '../../../../operations/costs/costs.ts';
import { askCosts } from '../../ask/ask-costs.ts';
import { defineCommand } from '../../program/command.ts';
import { BUDGET_SCOPES, parseScope, SCOPE_OPTIONS } from './budget-arguments.ts';
import { describeBudget } from './cost-text.ts';

const MAX_TOKENS = Number.MAX_SAFE_INTEGER;

export const costsSetBudget = defineCommand({
  usage: `${BUDGET_SCOPES.join('|')} [--project ID] [--agent AGENT] [--usd USD] [--tokens N]`,
  description:
    'Caps what a project, an agent, a calendar day in UTC or each run may spend, in US dollars, tokens or both. It holds\n' +
    'on every node at once: what a call may cost is taken off before the call is made.',
  args: { min: 1, max: 1 },
  options: {
    ...SCOPE_OPTIONS,
    usd: { kind: 'text', value: 'USD', summary: 'at most so many US dollars' },
    tokens: {
      ...{ kind: 'number', value: 'N', min: 0, max: MAX_TOKENS, isWhole: true },
      summary: 'at most so many tokens, in and out together',
    },
  },
  choices: [...BUDGET_SCOPES],
  examples: [
    'claw costs set-budget project --project website --usd 20',
    'claw costs set-budget day --usd 5',
    'claw costs set-budget day --agent lince --tokens 100000',
    'claw costs set-budget run --usd 0.50',
  ],
  run({ args: [name], options: { project, agent, usd, tokens } }, context) {
    const scope = parseScope({ name, project, agent }, 'costs set-budget');
    const body = { ...scope, budget_usd: usd, budget_tokens: tokens };
    return askCosts(context, setBudget, { body });
  },
  fields: ({ via, answer }) => ({ ...answer, via }),
  text: ({ answer }) => describeBudget(answer),
});
