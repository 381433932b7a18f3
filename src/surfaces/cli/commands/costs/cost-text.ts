import type { BudgetShape, CostSummaryShape } from '../../../../operations/costs/cost-shapes.ts';
import { formatDate, formatFacts, formatTable } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';

const MAX_NAME_CHARS = 60;

export function describeCosts(summary: CostSummaryShape, style: Style): string {
  const { status, budget_usd: budget, remaining_usd: remaining } = summary;
  const paint =
    status === 'over_budget' ? style.red : status === 'near_limit' ? style.yellow : style.green;
  const agents = summary.agents.map((agent) => [
    `  ${toOneLine(agent.name, MAX_NAME_CHARS)}`,
    `${agent.estimated_usd} USD`,
    `${agent.tokens_in} in, ${agent.tokens_out} out`,
    formatDate(agent.last_activity),
  ]);
  return [
    formatFacts(
      [
        ['project', toOneLine(summary.project_id, MAX_NAME_CHARS)],
        ['spent', `${summary.spent_usd} USD`],
        ['budget', budget === null ? 'none' : `${budget} USD, ${remaining} left`],
        ['status', paint(status.replace('_', ' '))],
      ],
      style,
    ),
    ...(agents.length === 0 ? [] : ['', style.bold('by agent:'), formatTable(agents)]),
    ...(status === 'within_budget' ? [] : ['', ...summary.control_actions]),
  ].join('\n');
}

export function describeBudget(budget: BudgetShape): string {
  const of = budget.project_id ?? budget.agent_id;
  const scope = of === null ? budget.scope : `${budget.scope} of ${toOneLine(of, MAX_NAME_CHARS)}`;
  return [scope, describeCap(budget)].join(': ');
}

function describeCap(budget: BudgetShape): string {
  const { budget_usd: usd, budget_tokens: tokens } = budget;
  const left = (value: number | null) => (value === null ? '' : `, ${value} left`);
  return [
    ...(usd === null ? [] : [`${usd} USD${left(budget.remaining_usd)}`]),
    ...(tokens === null ? [] : [`${tokens} tokens${left(budget.remaining_tokens)}`]),
  ].join('; ');
}
