import { type Change, put } from '../store/change.ts';
import { collection } from '../store/collection.ts';
import { dayOf, nameAccount, nameModelDay, nameShare, type Spender, scopesOf } from './scope.ts';

/** A running total: of a project, an agent, a day, or of one agent in one project. Amounts are picodollars as text. */
export interface Account {
  readonly name: string;
  /** Of an agent's share in a project: these two, and what its name was when somebody told. */
  readonly shareOf: string | undefined;
  readonly agentId: string | undefined;
  readonly agentName: string | undefined;
  readonly pico: string;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** What calls under way may cost at most. */
  readonly heldPico: string;
  readonly heldTokens: number;
  readonly lastAtMs: number;
  /** Of days, which nobody asks for after a time. */
  readonly expiresAtMs: number | undefined;
}

export const ACCOUNTS = collection<Account>()('cost_accounts', 'name');

/** Days are kept for reports for so long. */
const KEEP_DAYS_MS = 400 * 24 * 3_600_000;

export interface Amount {
  readonly pico: bigint;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** Accounts that one write changes. */
export interface Book {
  find(name: string): Account | undefined;
  /** Counts an amount in all accounts of the spender. */
  charge(spender: NamedSpender, amount: Amount, atMs: number): void;
  /** Adds to what the accounts of a day hold back, or takes away with a negative amount. */
  hold(spender: Spender, amount: Amount, day: string): void;
  changes(): Change[];
}

export interface NamedSpender extends Spender {
  readonly agentName?: string | undefined;
}

/** The names of all accounts of a spender that a write on one of these days may change. */
export function accountsOf(spender: Spender, days: readonly string[]): string[] {
  const { projectId, agentId, model } = spender;
  const names = scopesOf(spender).flatMap((scope) =>
    days.flatMap((day) => nameAccount(scope, day) ?? []),
  );
  const share = projectId === undefined ? [] : [nameShare(projectId, agentId)];
  const models = model === undefined ? [] : days.map((day) => nameModelDay(model, day));
  return [...new Set([...names, ...share, ...models])];
}

/** `names` are those that were asked for: one that is not among them may be there and is not in hand. */
export function openBook(loaded: readonly Account[], names: readonly string[]): Book {
  const known = new Set(names);
  const accounts = new Map(loaded.map((account) => [account.name, account]));
  const changed = new Set<string>();

  function change(account: Account, edit: Partial<Account>): void {
    if (!known.has(account.name)) throw new TypeError(`account ${account.name} was not loaded`);
    accounts.set(account.name, { ...account, ...edit });
    changed.add(account.name);
  }

  return {
    find: (name) => accounts.get(name),

    charge(spender, amount, atMs) {
      if (isNothing(amount)) return;
      for (const blank of [...toBlanks(spender, atMs), ...toReports(spender, atMs)]) {
        const account = accounts.get(blank.name) ?? blank;
        const { agentName = account.agentName } = blank;
        change(account, {
          agentName,
          pico: (BigInt(account.pico) + amount.pico).toString(),
          tokensIn: account.tokensIn + amount.tokensIn,
          tokensOut: account.tokensOut + amount.tokensOut,
          lastAtMs: Math.max(account.lastAtMs, atMs),
        });
      }
    },

    hold(spender, amount, day) {
      if (isNothing(amount)) return;
      const atMs = Date.parse(day);
      for (const blank of toBlanks(spender, atMs)) {
        const account = accounts.get(blank.name) ?? blank;
        change(account, {
          heldPico: (BigInt(account.heldPico) + amount.pico).toString(),
          heldTokens: account.heldTokens + amount.tokensIn + amount.tokensOut,
        });
      }
    },

    changes: () =>
      [...changed].flatMap((name) => {
        const account = accounts.get(name);
        return account === undefined ? [] : [put(ACCOUNTS, account)];
      }),
  };
}

function isNothing({ pico, tokensIn, tokensOut }: Amount): boolean {
  return pico === 0n && tokensIn === 0 && tokensOut === 0;
}

export function negate({ pico, tokensIn, tokensOut }: Amount): Amount {
  return { pico: -pico, tokensIn: -tokensIn, tokensOut: -tokensOut };
}

/** The accounts of a spender on a day as they begin: those that budgets are for. */
function toBlanks(spender: NamedSpender, atMs: number): Account[] {
  const day = dayOf(atMs);
  return scopesOf(spender).flatMap((scope) => {
    const name = nameAccount(scope, day);
    if (name === undefined) return [];
    const expiresAtMs = scope.kind === 'day' ? atMs + KEEP_DAYS_MS : undefined;
    return [{ ...BLANK, name, expiresAtMs }];
  });
}

/** And those that are only told of. */
function toReports(
  { projectId, agentId, agentName, model }: NamedSpender,
  atMs: number,
): Account[] {
  const reports: Account[] = [];
  if (projectId !== undefined) {
    const name = nameShare(projectId, agentId);
    reports.push({ ...BLANK, name, shareOf: projectId, agentId, agentName });
  }
  if (model !== undefined) {
    const name = nameModelDay(model, dayOf(atMs));
    reports.push({ ...BLANK, name, expiresAtMs: atMs + KEEP_DAYS_MS });
  }
  return reports;
}

const BLANK: Omit<Account, 'name'> = {
  shareOf: undefined,
  agentId: undefined,
  agentName: undefined,
  pico: '0',
  tokensIn: 0,
  tokensOut: 0,
  heldPico: '0',
  heldTokens: 0,
  lastAtMs: 0,
  expiresAtMs: undefined,
};
