import { useState } from 'react';
import type { CostSummaryShape } from '../../../../src/operations/costs/cost-shapes.ts';
import { readCosts } from '../../../../src/operations/costs/costs.ts';
import { useRead } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { classNames } from '../../kit/class-names.ts';
import { formatMoney, formatShort } from '../../kit/format.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Card, Section } from '../../kit/page.tsx';
import { type State, StateBadge } from '../../kit/state-badge.tsx';
import { ProjectBudget } from './project-budget.tsx';

const STATES: Readonly<Record<CostSummaryShape['status'], readonly [State, string]>> = {
  within_budget: ['ok', 'within budget'],
  near_limit: ['wait', 'near its limit'],
  over_budget: ['bad', 'over budget'],
};

const FILLS: Readonly<Record<CostSummaryShape['status'], string>> = {
  within_budget: 'bg-accent',
  near_limit: 'bg-wait',
  over_budget: 'bg-bad',
};

export function ProjectCosts({ id }: { readonly id: string }) {
  const costs = useRead(readCosts, { query: { project_id: id } });
  const [isSetting, setIsSetting] = useState(false);
  return (
    <Section
      title="Costs"
      actions={
        <Button size="small" onClick={() => setIsSetting(true)}>
          Set the budget
        </Button>
      }
    >
      <Loaded query={costs}>
        {(summary) => (
          <Card>
            <Spent summary={summary} />
            <Agents agents={summary.agents} />
            {isSetting ? (
              <ProjectBudget
                id={id}
                budget={summary.budget_usd}
                onClose={() => setIsSetting(false)}
              />
            ) : null}
          </Card>
        )}
      </Loaded>
    </Section>
  );
}

function Spent({ summary }: { readonly summary: CostSummaryShape }) {
  const { spent_usd: spent, budget_usd: budget, remaining_usd: left, status } = summary;
  const [state, words] = STATES[status];
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <span className="text-2xl font-semibold tracking-tight tabular-nums">
          {formatMoney(spent)}
        </span>
        {budget === null ? (
          <span className="text-sm text-muted">no budget</span>
        ) : (
          <StateBadge state={state}>{words}</StateBadge>
        )}
      </div>
      {budget === null ? null : (
        <>
          <div
            role="meter"
            aria-label="Spent of the budget"
            aria-valuemin={0}
            aria-valuemax={budget}
            aria-valuenow={Math.min(spent, budget)}
            className="mt-2 h-1.5 overflow-hidden rounded-full bg-sunken"
          >
            <div
              className={classNames('h-full', FILLS[status])}
              style={{ width: `${Math.min(1, spent / budget) * 100}%` }}
            />
          </div>
          <p className="mt-1 text-sm text-muted tabular-nums">
            {formatMoney(left)} left of {formatMoney(budget)}
          </p>
        </>
      )}
      {status === 'within_budget' ? null : (
        <ul className="mt-2 list-disc pl-5 text-sm">
          {summary.control_actions.map((action) => (
            <li key={action}>{action}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function Agents({ agents }: Pick<CostSummaryShape, 'agents'>) {
  if (agents.length === 0) return <p className="mt-3 text-sm text-muted">Nothing was spent yet.</p>;
  return (
    <ul aria-label="By agent" className="mt-3 divide-y divide-line border-t border-line text-sm">
      {agents.map(({ agent_id, name, tokens_in, tokens_out, estimated_usd }) => (
        <li key={agent_id} className="flex flex-wrap items-baseline justify-between gap-x-3 py-1.5">
          <span className="min-w-0 truncate">{name}</span>
          <span className="text-xs text-muted tabular-nums">
            {formatShort(tokens_in)} in, {formatShort(tokens_out)} out
          </span>
          <span className="tabular-nums">{formatMoney(estimated_usd)}</span>
        </li>
      ))}
    </ul>
  );
}
