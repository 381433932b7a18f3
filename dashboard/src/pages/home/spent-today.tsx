import { Link } from 'wouter';
import { listBudgets } from '../../../../src/operations/costs/costs.ts';
import type { StatusShape } from '../../../../src/operations/status/status-shapes.ts';
import { useRead } from '../../api/use-operation.ts';
import { formatMoney } from '../../kit/format.ts';
import { Figure } from '../../kit/page.tsx';

/** In UTC, as budgets count. */
export function SpentToday({ spent }: { readonly spent: StatusShape['spend_today'] }) {
  const budgets = useRead(listBudgets, {});
  const day = budgets.data?.budgets.find(({ scope }) => scope === 'day');
  return (
    <Figure
      label="Spent today"
      value={<Link href="/costs">{formatMoney(spent.usd)}</Link>}
      hint={day === undefined ? 'no budget for a day' : `of ${formatMoney(day.budget_usd)}`}
    />
  );
}
