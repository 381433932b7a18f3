import { type Backoff, backoffMs } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import { toRuntimeError } from '../errors.ts';
import type { FreshValue } from '../fresh-value.ts';
import type { Logger } from '../log.ts';
import { applyBudgets, type Budget, type BudgetDefaults } from './budget.ts';
import { budgetExceeded, type NoteOverrun, unpriced } from './refusals.ts';
import type { WantedCall } from './reserve.ts';
import { giveSpent, type SpendingRun } from './run-ledger.ts';
import { dayOf } from './scope.ts';
import type { Spent } from './spent.ts';
import type { CostStore } from './stored-costs.ts';

/** Takes the cost of model calls off the budgets before they are made. */
export interface Spending {
  /**
   * Answers with how many tokens may come out: fewer than wanted when no more fit. Throws `budget_exceeded`, and
   * `policy_denied` when money is capped and the price is not known. Where no budget applies, nothing is written.
   */
  reserve(call: CallToReserve): Promise<number>;
  /** What was held for the run's call is given back as far as it was not spent. Nobody waits for it. */
  settle(run: SpendingRun, spent: Spent): void;
}

export interface CallToReserve {
  readonly run: SpendingRun;
  /** What the run has spent by its log. */
  readonly spent: Spent;
  /** `provider/name` */
  readonly model: string;
  /** Picodollars per million tokens; undefined when the price is not known. */
  readonly price: { readonly in: bigint; readonly out: bigint } | undefined;
  /** An upper bound. Asked only when there is a budget. */
  readonly countTokensIn: () => number;
  readonly tokensOut: number;
  readonly signal: AbortSignal;
}

export interface SpendingDeps {
  readonly store: Pick<CostStore, 'listLedgers' | 'reserve' | 'settle'>;
  readonly budgets: FreshValue<ReadonlyMap<string, Budget>>;
  readonly defaults: () => BudgetDefaults;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly noteOverrun: NoteOverrun;
}

/** An answer that is cut shorter than this helps nobody. */
const MIN_TOKENS_OUT = 64;
/** For calls of others that hold what this one needs: they end within a turn. */
const WAIT_FOR_OTHERS: Backoff = { firstMs: 50, maxMs: 500 };
const MAX_WAIT_MS = 30_000;

export function createSpending(deps: SpendingDeps): Spending {
  /** The day in which each run of this process holds something. */
  const heldDays = new Map<string, string>();

  async function findHeldDay(runId: string): Promise<string | undefined> {
    return heldDays.get(runId) ?? (await deps.store.listLedgers([runId]))[0]?.heldDay;
  }

  async function hold(call: CallToReserve, wanted: WantedCall): Promise<number> {
    const { run, model, signal } = call;
    const beganAtMs = deps.clock.nowMs();
    for (let waits = 0; ; ) {
      const nowMs = deps.clock.nowMs();
      const reserved = await deps.store.reserve({
        run: toSpendingRun(run),
        spent: giveSpent(call.spent),
        day: dayOf(nowMs),
        heldDay: await findHeldDay(run.runId),
        wanted: { ...wanted, isPatient: nowMs - beganAtMs < MAX_WAIT_MS },
        defaults: deps.defaults(),
      });
      if (reserved === 'stale') {
        heldDays.delete(run.runId);
        continue;
      }
      switch (reserved.outcome) {
        case 'granted':
          heldDays.set(run.runId, dayOf(nowMs));
          return reserved.tokensOut;
        case 'busy':
          waits += 1;
          await deps.clock.sleep(backoffMs(WAIT_FOR_OTHERS, waits), signal);
          if (signal.aborted) throw signal.reason;
          continue;
        case 'unpriced':
          throw unpriced(reserved.scope, model);
        case 'refused':
          deps.noteOverrun({ scope: reserved.scope, run, isRefused: true });
          throw budgetExceeded(reserved.scope, `leaves no room for another call of ${model}`, {
            isMoney: reserved.isMoney,
          });
      }
    }
  }

  return {
    async reserve(call) {
      const { price, tokensOut } = call;
      const known = await deps.budgets.get();
      const applied = applyBudgets(call.run, (name) => known.get(name), deps.defaults());
      const hasTokenCap = applied.some(({ tokens }) => tokens !== undefined);
      const isFree = price?.in === 0n && price.out === 0n;
      if (applied.length === 0 || (isFree && !hasTokenCap)) return tokensOut;
      return hold(call, {
        tokensIn: call.countTokensIn(),
        tokensOut,
        minTokensOut: Math.min(MIN_TOKENS_OUT, tokensOut),
        price: price && { in: price.in.toString(), out: price.out.toString() },
        isPatient: true,
      });
    },

    settle(run, spent) {
      const heldDay = heldDays.get(run.runId);
      if (heldDay === undefined) return;
      heldDays.delete(run.runId);
      const day = dayOf(deps.clock.nowMs());
      const settling = { run: toSpendingRun(run), spent: giveSpent(spent), day, heldDay };
      // Whatever comes of it: the run's next reservation settles too, and so does its end.
      deps.store.settle(settling).catch((thrown: unknown) => {
        const { code } = toRuntimeError(thrown);
        deps.logger.warn({ run_id: run.runId, code }, 'could not settle what a call cost; later');
      });
    },
  };
}

/** Nothing more than a write needs. */
function toSpendingRun({ runId, projectId, agentId, model }: SpendingRun): SpendingRun {
  return { runId, projectId, agentId, model };
}
