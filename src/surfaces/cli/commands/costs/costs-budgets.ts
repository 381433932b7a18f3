import { listBudgets } from '../../../../operations/costs/costs.ts';
import { askCosts } from '../../ask/ask-costs.ts';
import { defineCommand } from '../../program/command.ts';
import { describeBudget } from './cost-text.ts';

export const costsBudgets = defineCommand({
  usage: '',
  description: 'All budgets, with what is left of them. Days are today, in UTC.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw costs budgets', 'claw costs budgets --output-format json'],
  run: (_, context) => askCosts(context, listBudgets, {}),
  fields: ({ via, answer: { budgets } }) => ({ budgets_count: budgets.length, budgets, via }),
  text: ({ answer: { budgets } }) =>
    budgets.length === 0
      ? 'no budgets: claw costs set-budget sets one'
      : budgets.map(describeBudget).join('\n'),
});
