import type { FreshValue } from '../fresh-value.ts';
import { parseDirectTool } from '../loop/direct-tool.ts';
import { applyBudgets, type Budget, type BudgetDefaults } from './budget.ts';
import { budgetExceeded, type NoteOverrun } from './refusals.ts';
import { dayOf, nameAccount, type Spender } from './scope.ts';
import type { CostStore } from './stored-costs.ts';

export interface AdmissionDeps {
  readonly store: Pick<CostStore, 'listAccounts'>;
  readonly budgets: FreshValue<ReadonlyMap<string, Budget>>;
  readonly defaults: () => BudgetDefaults;
  readonly clock: { nowMs(): number };
  readonly noteOverrun: NoteOverrun;
}

/** New work for which some budget has nothing left is refused at once, with `budget_exceeded`. */
export function createAdmission(deps: AdmissionDeps) {
  return async (work: Spender & { readonly message?: string }): Promise<void> => {
    const known = await deps.budgets.get();
    const applied = applyBudgets(work, (name) => known.get(name), deps.defaults());
    if (applied.length === 0 || isFree(work.message)) return;
    const day = dayOf(deps.clock.nowMs());
    const names = applied.flatMap(({ scope }) => nameAccount(scope, day) ?? []);
    if (names.length === 0) return;
    const accounts = await deps.store.listAccounts(names);
    for (const { scope, pico, tokens } of applied) {
      const name = nameAccount(scope, day);
      const account = accounts.find((one) => one.name === name);
      const spentTokens = (account?.tokensIn ?? 0) + (account?.tokensOut ?? 0);
      const isMoney = pico !== undefined && BigInt(account?.pico ?? '0') >= pico;
      if (name === undefined || (!isMoney && (tokens === undefined || spentTokens < tokens)))
        continue;
      deps.noteOverrun({ scope, run: work, isRefused: true });
      throw budgetExceeded(scope, 'is used up', { isMoney });
    }
  };
}

/** A tool that is called directly asks no model. */
function isFree(message: string | undefined): boolean {
  try {
    return message !== undefined && parseDirectTool(message) !== undefined;
  } catch {
    return true;
  }
}
