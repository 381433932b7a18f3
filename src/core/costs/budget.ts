import { collection } from '../store/collection.ts';
import { type BudgetScope, nameScope, type Spender, scopesOf } from './scope.ts';

/** What a scope may spend at most: money, tokens, or both. */
export interface Budget {
  readonly scope: BudgetScope;
  /** Picodollars; undefined: no cap on money. */
  readonly pico: bigint | undefined;
  readonly tokens: number | undefined;
}

export interface StoredBudget {
  readonly name: string;
  readonly scope: BudgetScope;
  readonly pico: string | undefined;
  readonly tokens: number | undefined;
  readonly updatedAtMs: number;
}

export const BUDGETS = collection<StoredBudget>()('cost_budgets', 'name');

export function toBudget({ scope, pico, tokens }: StoredBudget): Budget {
  return { scope, pico: pico === undefined ? undefined : BigInt(pico), tokens };
}

/** What projects may spend that have no budget of their own; undefined: as much as they like. */
export interface BudgetDefaults {
  readonly projectPico: string | undefined;
}

/** The budgets that hold for a spender. */
export function applyBudgets(
  spender: Spender,
  find: (name: string) => Budget | undefined,
  { projectPico }: BudgetDefaults,
): Budget[] {
  return scopesOf(spender).flatMap((scope) => {
    const own = find(nameScope(scope));
    if (own) return [own];
    if (scope.kind !== 'project' || projectPico === undefined) return [];
    return [{ scope, pico: BigInt(projectPico), tokens: undefined }];
  });
}
