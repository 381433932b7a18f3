import { Link } from 'wouter';
import { listBudgets } from '../../../../src/operations/costs/costs.ts';
import { useRead } from '../../api/use-operation.ts';
import { formatMoney } from '../../kit/format.ts';
import { Figure } from '../../kit/page.tsx';

export function SpentToday() {
  const { data } = useRead(listBudgets, {});
  const day = data?.budgets.find(({ scope }) => scope === 'day');
  return (
    <Figure
      label="Spent today"
      value={<Link href="/costs">{formatMoney(day?.spent_usd)}</Link>}
      hint={day === undefined ? 'no budget for a day' : `of ${formatMoney(day.budget_usd)}`}
    />
  );
}
