import { RuntimeError } from '../errors.ts';
import { type BudgetScope, describeScope, type Spender } from './scope.ts';

export interface Overrun {
  readonly scope: BudgetScope;
  readonly run: Spender;
  /** False when it was only reported, after the money was gone. */
  readonly isRefused: boolean;
}

/** For whoever watches over what is refused. */
export type NoteOverrun = (overrun: Overrun) => void;

export function budgetExceeded(
  scope: BudgetScope,
  what: string,
  { isMoney }: { readonly isMoney: boolean },
): RuntimeError {
  const unit = isMoney ? 'US dollars' : 'tokens';
  return new RuntimeError(
    'budget_exceeded',
    `the budget of ${describeScope(scope)} in ${unit} ${what}; raise it with claw costs set-budget`,
    {
      details: {
        recovery_action:
          'Raise the budget with PUT /api/costs/budgets or claw costs set-budget, or wait for the next day where it is one of a day.',
      },
    },
  );
}

export function unpriced(scope: BudgetScope, model: string): RuntimeError {
  return new RuntimeError(
    'policy_denied',
    `${model} has no known price, and ${describeScope(scope)} has a budget in US dollars: set prices.${model} in the ` +
      'configuration, or remove the budget',
    {
      details: {
        recovery_action: `Set prices.${model} in the configuration (claw config set), or remove the budget.`,
      },
    },
  );
}
