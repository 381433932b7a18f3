import { RuntimeError } from '../errors.ts';
import { expire, put, remove } from '../store/change.ts';
import { collection } from '../store/collection.ts';
import { count, find, list } from '../store/need.ts';
import type { Tables } from '../store/tables.ts';
import { answer, type Decided, defineWrite } from '../store/write.ts';
import { ACCOUNTS, type Account, accountsOf, openBook } from './account.ts';
import {
  applyBudgets,
  BUDGETS,
  type BudgetDefaults,
  type StoredBudget,
  toBudget,
} from './budget.ts';
import { boundOf, judgeCall, type Reserved, type WantedCall } from './reserve.ts';
import {
  blankLedger,
  type GivenSpent,
  RUN_LEDGERS,
  type RunLedger,
  type SpendingRun,
  settle,
} from './run-ledger.ts';
import {
  type BudgetScope,
  dayOf,
  nameDayStart,
  nameScope,
  type Spender,
  scopesOf,
} from './scope.ts';

/** Usage that somebody reported, remembered by its key. */
export interface KeyedUsage {
  readonly key: string;
  readonly digest: string;
  readonly expiresAtMs: number;
}

export const USAGES = collection<KeyedUsage>()('cost_usages', 'key');

/** Where nothing is spent that was not reserved before. */
export interface CostStore {
  listBudgets(): Promise<readonly StoredBudget[]>;
  setBudget(budget: SetBudget): Promise<StoredBudget>;
  /** False when there was none. */
  removeBudget(scope: BudgetScope): Promise<boolean>;
  listAccounts(names: readonly string[]): Promise<readonly Account[]>;
  listShares(projectId: string): Promise<readonly Account[]>;
  /** Those of days, from one day on, in the order of their names; `after` is the last name of the page before. */
  listDayAccounts(page: DayPage): Promise<readonly Account[]>;
  listLedgers(runIds: readonly string[]): Promise<readonly RunLedger[]>;
  /** Settles what the run has spent, and holds what its next call may cost, in one transaction. */
  reserve(request: ReserveCall): Promise<Reserved | 'stale'>;
  settle(request: SettleRun): Promise<'settled' | 'stale'>;
  /** Of runs that have ended. What is closed already stays as it is; throws when a ledger holds on another day. */
  close(runs: readonly SettleRun[]): Promise<void>;
  /** The same key with the same usage counts once; with another one it is a conflict. */
  record(usage: RecordUsage): Promise<'recorded' | 'replayed' | 'conflict'>;
}

export interface DayPage {
  readonly fromDay: string;
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface SetBudget {
  readonly scope: BudgetScope;
  readonly pico: string | undefined;
  readonly tokens: number | undefined;
}

export interface SettleRun {
  readonly run: SpendingRun;
  readonly spent: GivenSpent;
  readonly day: string;
  /** The day that the run's ledger holds something in, as it was last seen: its accounts are needed too. */
  readonly heldDay: string | undefined;
}

export interface ReserveCall extends SettleRun {
  readonly wanted: WantedCall;
  readonly defaults: BudgetDefaults;
}

export interface RecordUsage extends Spender {
  readonly agentName?: string | undefined;
  readonly pico: string;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** When it was spent; the store's own time when left out. */
  readonly atMs: number;
  readonly key?: string | undefined;
  readonly digest: string;
}

const MAX_BUDGETS = 500;
const MAX_SHARES = 1_000;
/** Runs whose accounts fit into one write. */
export const MAX_CLOSED_AT_ONCE = 50;
/** As long as a run may still be closed a second time, by whoever does not know that it was. */
const KEEP_LEDGERS_MS = 30 * 24 * 3_600_000;
const KEEP_USAGES_MS = 90 * 24 * 3_600_000;
const MAX_EXPIRED = 50;

/** One for all that touches the accounts: totals of the day are everybody's, and a write takes a millisecond. */
const LOCKS = ['costs'];

function namesOf(runs: readonly SettleRun[]): string[] {
  const days = new Set(runs.flatMap(({ day, heldDay = day }) => [day, heldDay]));
  return [...new Set(runs.flatMap(({ run }) => accountsOf(run, [...days])))];
}

function needAccounts(names: readonly string[]) {
  return list(ACCOUNTS, { among: names, limit: names.length });
}

/** Accounts of a day that was not asked for are not in hand. */
function isStale(ledger: RunLedger | undefined, { day, heldDay }: SettleRun): boolean {
  const held = ledger?.heldDay;
  return held !== undefined && held !== day && held !== heldDay;
}

const reserve = defineWrite({
  name: 'costs.reserve',
  locks: (_: ReserveCall) => LOCKS,
  needs(given) {
    const names = scopesOf(given.run).map(nameScope);
    return {
      ledger: find(RUN_LEDGERS, { runId: given.run.runId }),
      budgets: list(BUDGETS, { among: names, limit: names.length }),
      accounts: needAccounts(namesOf([given])),
    };
  },
  decide({ ledger: known, budgets, accounts }, given, nowMs): Decided<Reserved | 'stale'> {
    if (isStale(known, given)) return answer('stale');
    const { run, day, wanted } = given;
    const book = openBook(accounts, namesOf([given]));
    const ledger = settle(known ?? blankLedger(run.runId), { ...given, nowMs }, book);
    const stored = new Map(budgets.map((budget) => [budget.name, toBudget(budget)]));
    const applied = applyBudgets(run, (name) => stored.get(name), given.defaults);
    const reserved = judgeCall({ budgets: applied, book, ledger, day }, wanted);
    if (reserved.outcome !== 'granted') {
      return { value: reserved, changes: [...book.changes(), ...keep(known, ledger)] };
    }
    const bound = boundOf(wanted, reserved.tokensOut);
    book.hold(run, bound, day);
    const held = {
      ...ledger,
      heldDay: day,
      heldPico: bound.pico.toString(),
      heldIn: bound.tokensIn,
      heldOut: bound.tokensOut,
    };
    return {
      value: reserved,
      changes: [...book.changes(), put(RUN_LEDGERS, held)],
    };
  },
});

/** Who waits asks again and again: what is so already is not written again. */
function keep(known: RunLedger | undefined, ledger: RunLedger) {
  return known === undefined || JSON.stringify(known) === JSON.stringify(ledger)
    ? []
    : [put(RUN_LEDGERS, ledger)];
}

const settleOne = defineWrite({
  name: 'costs.settle',
  locks: (_: SettleRun) => LOCKS,
  needs: (given) => ({
    ledger: find(RUN_LEDGERS, { runId: given.run.runId }),
    accounts: needAccounts(namesOf([given])),
  }),
  decide({ ledger: known, accounts }, given, nowMs): Decided<'settled' | 'stale'> {
    if (known === undefined || known.closedAtMs !== undefined) return answer('settled');
    if (isStale(known, given)) return answer('stale');
    const book = openBook(accounts, namesOf([given]));
    const ledger = settle(known, { ...given, nowMs }, book);
    return { value: 'settled', changes: [...book.changes(), ...keep(known, ledger)] };
  },
});

const close = defineWrite({
  name: 'costs.close',
  locks: (_: readonly SettleRun[]) => LOCKS,
  needs(runs) {
    const runIds = runs.map(({ run }) => run.runId);
    return {
      ledgers: list(RUN_LEDGERS, { among: runIds, limit: runIds.length }),
      accounts: needAccounts(namesOf(runs)),
    };
  },
  decide({ ledgers, accounts }, runs, nowMs) {
    const known = new Map(ledgers.map((ledger) => [ledger.runId, ledger]));
    const book = openBook(accounts, namesOf(runs));
    const closed = runs.flatMap((given) => {
      const ledger = known.get(given.run.runId) ?? blankLedger(given.run.runId);
      if (ledger.closedAtMs !== undefined) return [];
      if (isStale(ledger, given)) throw new RuntimeError('lost_lease', 'the ledger has moved on');
      return [
        put(RUN_LEDGERS, { ...settle(ledger, { ...given, nowMs }, book), closedAtMs: nowMs }),
      ];
    });
    return {
      value: undefined,
      changes: [
        ...book.changes(),
        ...closed,
        expire(RUN_LEDGERS, past('closedAtMs', nowMs - KEEP_LEDGERS_MS)),
        expire(ACCOUNTS, past('expiresAtMs', nowMs)),
      ],
    };
  },
});

const past = <Field extends string>(by: Field, untilMs: number) => ({
  by,
  untilMs,
  max: MAX_EXPIRED,
});

const record = defineWrite({
  name: 'costs.record',
  locks: (_: RecordUsage) => LOCKS,
  needs(usage) {
    return {
      known: find(USAGES, { key: usage.key ?? '' }),
      accounts: needAccounts(accountsOf(usage, [dayOf(usage.atMs)])),
    };
  },
  decide({ known, accounts }, usage, nowMs): Decided<'recorded' | 'replayed' | 'conflict'> {
    const { key, digest, pico, tokensIn, tokensOut, atMs } = usage;
    if (key !== undefined && known && known.expiresAtMs > nowMs) {
      return answer(known.digest === digest ? 'replayed' : 'conflict');
    }
    const book = openBook(accounts, accountsOf(usage, [dayOf(usage.atMs)]));
    book.charge(usage, { pico: BigInt(pico), tokensIn, tokensOut }, atMs);
    const expiresAtMs = nowMs + KEEP_USAGES_MS;
    return {
      value: 'recorded',
      changes: [
        ...book.changes(),
        ...(key === undefined ? [] : [put(USAGES, { key, digest, expiresAtMs })]),
        expire(USAGES, past('expiresAtMs', nowMs)),
      ],
    };
  },
});

const setBudget = defineWrite({
  name: 'costs.set_budget',
  locks: (_: SetBudget) => LOCKS,
  needs: ({ scope }) => ({
    known: find(BUDGETS, { name: nameScope(scope) }),
    others: count(BUDGETS, { max: MAX_BUDGETS }),
  }),
  decide({ known, others }, { scope, pico, tokens }, nowMs) {
    if (!known && others >= MAX_BUDGETS) {
      throw new RuntimeError(
        'limit_reached',
        `there are ${MAX_BUDGETS} budgets already; remove one first`,
      );
    }
    const budget = { name: nameScope(scope), scope, pico, tokens, updatedAtMs: nowMs };
    return { value: budget, changes: [put(BUDGETS, budget)] };
  },
});

const removeBudget = defineWrite({
  name: 'costs.remove_budget',
  locks: (_: BudgetScope) => LOCKS,
  needs: (scope) => ({ known: find(BUDGETS, { name: nameScope(scope) }) }),
  decide: ({ known }) => ({
    value: known !== undefined,
    changes: known ? [remove(BUDGETS, { name: known.name })] : [],
  }),
});

export const COST_WRITES = { reserve, settleOne, close, record, setBudget, removeBudget };

export function createCostStore({ load, write }: Tables): CostStore {
  return {
    listBudgets: () => load(list(BUDGETS, { limit: MAX_BUDGETS })),
    setBudget: (budget) => write(setBudget, budget),
    removeBudget: (scope) => write(removeBudget, scope),
    listAccounts: (names) => load(needAccounts(names)),
    listShares: (projectId) =>
      load(list(ACCOUNTS, { of: { shareOf: projectId }, limit: MAX_SHARES })),
    listDayAccounts: ({ fromDay, after = nameDayStart(fromDay), limit }) =>
      load(list(ACCOUNTS, { after, limit })),
    listLedgers: (runIds) => load(list(RUN_LEDGERS, { among: runIds, limit: runIds.length })),
    reserve: (request) => write(reserve, request),
    settle: (request) => write(settleOne, request),
    close: (runs) => write(close, runs),
    record: (usage) => write(record, usage),
  };
}
