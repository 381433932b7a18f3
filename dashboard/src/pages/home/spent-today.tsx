import { Link } from 'wouter';
import { listBudgets, readCostSeries } from '../../../../src/operations/costs/costs.ts';
import { serverNowMs } from '../../api/server-time.ts';
import { useRead } from '../../api/use-operation.ts';
import { formatMoney } from '../../kit/format.ts';
import { Figure } from '../../kit/page.tsx';

/** In UTC, as budgets count. */
export function SpentToday() {
  const today = new Date(serverNowMs()).toISOString().slice(0, 10);
  const spent = useRead(readCostSeries, { query: { by: 'total', from: today, through: today } });
  const budgets = useRead(listBudgets, {});
  const day = budgets.data?.budgets.find(({ scope }) => scope === 'day');
  const sum = spent.data?.series.reduce((total, { spent_usd }) => total + spent_usd, 0);
  return (
    <Figure
      label="Spent today"
      value={<Link href="/costs">{formatMoney(sum)}</Link>}
      hint={day === undefined ? 'no budget for a day' : `of ${formatMoney(day.budget_usd)}`}
    />
  );
}
