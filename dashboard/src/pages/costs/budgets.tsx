import { PiggyBank, Plus } from 'lucide-react';
import { useState } from 'react';
import type { BudgetShape } from '../../../../src/operations/costs/cost-shapes.ts';
import { listBudgets, removeBudget } from '../../../../src/operations/costs/costs.ts';
import { useRead, useWrite } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { classNames } from '../../kit/class-names.ts';
import { Empty } from '../../kit/empty.tsx';
import { formatMoney, formatShort } from '../../kit/format.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Menu } from '../../kit/menu.tsx';
import { Section } from '../../kit/page.tsx';
import { toastError } from '../../kit/toasts.tsx';
import { BudgetDialog } from './budget-dialog.tsx';

export function Budgets() {
  const budgets = useRead(listBudgets, {});
  const [edited, setEdited] = useState<BudgetShape | 'new'>();
  return (
    <Section
      title="Budgets"
      hint="A call that could exceed one is refused before it is made."
      actions={
        <Button icon={Plus} onClick={() => setEdited('new')}>
          Set a budget
        </Button>
      }
    >
      <Loaded query={budgets}>
        {({ budgets: all }) =>
          all.length === 0 ? (
            <Empty icon={PiggyBank} title="Nothing limits what agents spend">
              Set a budget for a day, for each run, for an agent or for a project.
            </Empty>
          ) : (
            <ul className="grid gap-3 md:grid-cols-2">
              {all.map((budget) => (
                <BudgetCard
                  key={describeScope(budget)}
                  budget={budget}
                  onEdit={() => setEdited(budget)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {edited === undefined ? null : (
        <BudgetDialog
          {...(edited === 'new' ? {} : { budget: edited })}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Section>
  );
}

function describeScope({
  scope,
  project_id,
  agent_id,
}: Pick<BudgetShape, 'scope' | 'project_id' | 'agent_id'>) {
  if (scope === 'day') return 'Each day, all agents';
  if (scope === 'run') return 'Each run';
  return scope === 'agent' ? `Agent ${agent_id}` : `Project ${project_id}`;
}

function BudgetCard({
  budget,
  onEdit,
}: {
  readonly budget: BudgetShape;
  readonly onEdit: () => void;
}) {
  const remove = useWrite(removeBudget, { changes: ['status'] });
  const { scope, project_id, agent_id } = budget;
  const query = {
    scope,
    ...(project_id === null ? {} : { project_id }),
    ...(agent_id === null ? {} : { agent_id }),
  };
  return (
    <li className="rounded-lg border border-line bg-surface p-4">
      <div className="mb-2 flex items-center justify-between gap-2">
        <span className="min-w-0 truncate font-medium">{describeScope(budget)}</span>
        <Menu
          label={`More for ${describeScope(budget)}`}
          items={[
            { label: 'Change', onSelect: onEdit },
            {
              label: 'Remove',
              isDanger: true,
              onSelect: () => remove.mutate({ query }, { onError: toastError }),
            },
          ]}
        />
      </div>
      {budget.budget_usd === null ? null : (
        <Meter
          label="Money"
          spent={budget.spent_usd}
          limit={budget.budget_usd}
          format={formatMoney}
        />
      )}
      {budget.budget_tokens === null ? null : (
        <Meter
          label="Tokens"
          spent={budget.spent_tokens}
          limit={budget.budget_tokens}
          format={formatShort}
        />
      )}
    </li>
  );
}

interface MeterProps {
  readonly label: string;
  /** Null: each has the whole of it. */
  readonly spent: number | null;
  readonly limit: number;
  readonly format: (value: number) => string;
}

const NEAR = 0.8;

function Meter({ label, spent, limit, format }: MeterProps) {
  if (spent === null) return <p className="text-sm text-muted">{`at most ${format(limit)}`}</p>;
  const share = limit === 0 ? 1 : Math.min(1, spent / limit);
  const words =
    share >= 1 ? 'used up' : share >= NEAR ? 'nearly used up' : `${format(limit - spent)} left`;
  return (
    <div className="mt-1">
      <div className="flex justify-between gap-2 text-sm tabular-nums">
        <span>{`${format(spent)} of ${format(limit)}`}</span>
        <span className={share >= 1 ? 'text-bad' : share >= NEAR ? 'text-wait' : 'text-muted'}>
          {words}
        </span>
      </div>
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={spent}
        className="mt-1 h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <div
          className={classNames(
            'h-full',
            share >= 1 ? 'bg-bad' : share >= NEAR ? 'bg-wait' : 'bg-accent',
          )}
          style={{ width: `${share * 100}%` }}
        />
      </div>
    </div>
  );
}
