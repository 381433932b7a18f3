import { ChartColumn } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import type { CostSeriesShape } from '../../../../src/operations/costs/cost-shapes.ts';
import { readCostSeries } from '../../../../src/operations/costs/costs.ts';
import { useRead } from '../../api/use-operation.ts';
import { Empty } from '../../kit/empty.tsx';
import { Select } from '../../kit/fields.tsx';
import { formatMoney, formatShort } from '../../kit/format.ts';
import { Loaded, Skeleton } from '../../kit/loaded.tsx';
import { Card, Section } from '../../kit/page.tsx';
import { Table } from '../../kit/table.tsx';
import { useExactParams } from '../../kit/use-exact-params.ts';
import { toDailySeries } from './daily-series.ts';

const Chart = lazy(() =>
  import('../../kit/chart.tsx').then((module) => ({ default: module.Chart })),
);

const GROUPS = {
  total: 'all together',
  agent: 'by agent',
  model: 'by model',
  project: 'by project',
} as const;
type Group = keyof typeof GROUPS;

export function Spending() {
  const [parameters, setParameters] = useExactParams();
  const by = toGroup(parameters.get('by'));
  const series = useRead(readCostSeries, { query: { by } });
  return (
    <Section
      title="Spending"
      hint="The last 30 days, in UTC."
      actions={
        <div className="w-40">
          <Select
            aria-label="How spending is shown"
            value={by}
            onChange={(event) => setParameters({ by: event.target.value }, { replace: true })}
          >
            {Object.entries(GROUPS).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </Select>
        </div>
      }
    >
      <Loaded query={series}>
        {(found) =>
          found.series.length === 0 ? (
            <Empty icon={ChartColumn} title="Nothing was spent yet">
              What models cost is shown here, day by day, from the first run on.
            </Empty>
          ) : (
            <Shown found={found} />
          )
        }
      </Loaded>
    </Section>
  );
}

function toGroup(text: string | null): Group {
  return text !== null && text in GROUPS ? (text as Group) : 'total';
}

/** More lines than that can't be told apart. */
const MAX_LINES = 6;

function Shown({ found }: { readonly found: CostSeriesShape }) {
  const { times, series } = useMemo(() => toDailySeries(found, MAX_LINES), [found]);
  const sum = found.series.reduce((total, { spent_usd }) => total + spent_usd, 0);
  return (
    <>
      <Card className="mb-3 p-3">
        <Suspense fallback={<Skeleton rows={5} />}>
          <Chart
            label={`Spending by day: ${formatMoney(sum)} in all`}
            times={times}
            series={series}
            format={formatMoney}
            kind={series.length === 1 ? 'bars' : 'line'}
          />
        </Suspense>
      </Card>
      <Table
        label="Sums"
        rows={found.series}
        keyOf={({ id }) => id}
        columns={[
          {
            label: found.by === 'total' ? 'All' : found.by,
            cell: ({ id }) => (id === '' ? 'everything' : id),
          },
          {
            label: 'Tokens in',
            align: 'right',
            isExtra: true,
            cell: ({ days }) =>
              formatShort(days.reduce((total, { tokens_in }) => total + tokens_in, 0)),
          },
          {
            label: 'Tokens out',
            align: 'right',
            isExtra: true,
            cell: ({ days }) =>
              formatShort(days.reduce((total, { tokens_out }) => total + tokens_out, 0)),
          },
          { label: 'Spent', align: 'right', cell: ({ spent_usd }) => formatMoney(spent_usd) },
        ]}
      />
    </>
  );
}
