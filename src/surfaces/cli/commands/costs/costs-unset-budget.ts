import { removeBudget } from '../../../../operations/costs/costs.ts';
import { askCosts } from '../../ask/ask-costs.ts';
import { defineCommand } from '../../program/command.ts';
import { naming } from '../../program/errors.ts';
import { BUDGET_SCOPES, parseScope, SCOPE_OPTIONS } from './budget-arguments.ts';

export const costsUnsetBudget = defineCommand({
  usage: `${BUDGET_SCOPES.join('|')} [--project ID] [--agent AGENT]`,
  description: 'Takes a budget away. What was spent stays counted.',
  args: { min: 1, max: 1 },
  options: SCOPE_OPTIONS,
  choices: [...BUDGET_SCOPES],
  examples: ['claw costs unset-budget project --project website', 'claw costs unset-budget day'],
  async run({ args: [name], options: { project, agent } }, context) {
    const query = parseScope({ name, project, agent }, 'costs unset-budget');
    const { via } = await naming(
      {
        thing: 'budget',
        name: query.scope,
        hint: 'claw costs budgets shows the budgets there are',
      },
      askCosts(context, removeBudget, { query }),
    );
    return { via, scope: query.scope };
  },
  fields: ({ via, scope }) => ({ scope, removed: true, via }),
  text: ({ scope }) => `the budget of the ${scope} is gone`,
});
