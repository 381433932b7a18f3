import { RuntimeError } from '../errors.ts';
import type { Account } from './account.ts';
import { type DayAccount, dayOf, parseDayAccount } from './scope.ts';
import type { CostStore } from './stored-costs.ts';

/** What was spent day by day, for charts. Days are those of UTC. */
export interface CostSeries {
  readonly fromDay: string;
  readonly throughDay: string;
  readonly by: SeriesKind;
  /** One for each agent, model or project that spent something, the costliest first. */
  readonly series: readonly CostLine[];
  /** Whether some were left out, because there are too many. */
  readonly isTruncated: boolean;
}

export type SeriesKind = DayAccount['by'];

export interface CostLine {
  /** Empty for the total. */
  readonly id: string;
  readonly pico: bigint;
  readonly days: readonly DaySpent[];
}

export interface DaySpent {
  readonly day: string;
  readonly pico: bigint;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

export interface SeriesRequest {
  readonly by: SeriesKind;
  /** Today and 29 days before when left out. */
  readonly fromDay?: string | undefined;
  readonly throughDay?: string | undefined;
}

const DAY_MS = 24 * 3_600_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 92;
const ACCOUNTS_PER_LOOK = 1_000;
/** Accounts of all kinds that are looked through. */
const MAX_ACCOUNTS = 50_000;
const MAX_LINES = 100;

/** Days without spending are left out. */
export async function readSeries(
  store: Pick<CostStore, 'listDayAccounts'>,
  request: SeriesRequest,
  nowMs: number,
): Promise<CostSeries> {
  const { fromDay, throughDay } = toRange(request, nowMs);
  const lines = new Map<string, DaySpent[]>();
  let looked = 0;
  for await (const { account, about } of walk(store, { fromDay, throughDay })) {
    looked += 1;
    if (about.by === request.by) {
      const days = lines.get(about.id) ?? [];
      lines.set(about.id, days);
      days.push(toDaySpent(about.day, account));
    }
    if (looked >= MAX_ACCOUNTS) break;
  }
  const series = [...lines].map(([id, days]) => ({ id, pico: sum(days), days }));
  series.sort((a, b) => (a.pico === b.pico ? (a.id < b.id ? -1 : 1) : a.pico > b.pico ? -1 : 1));
  return {
    fromDay,
    throughDay,
    by: request.by,
    series: series.slice(0, MAX_LINES),
    isTruncated: series.length > MAX_LINES || looked >= MAX_ACCOUNTS,
  };
}

function toRange(request: SeriesRequest, nowMs: number) {
  const throughDay = request.throughDay ?? dayOf(nowMs);
  const throughMs = Date.parse(throughDay);
  const fromDay = request.fromDay ?? dayOf(throughMs - (DEFAULT_DAYS - 1) * DAY_MS);
  const days = (throughMs - Date.parse(fromDay)) / DAY_MS + 1;
  if (days >= 1 && days <= MAX_DAYS) return { fromDay, throughDay };
  throw new RuntimeError('invalid_input', `from and through must be 1 to ${MAX_DAYS} days apart`);
}

async function* walk(
  store: Pick<CostStore, 'listDayAccounts'>,
  { fromDay, throughDay }: { readonly fromDay: string; readonly throughDay: string },
): AsyncGenerator<{ readonly account: Account; readonly about: DayAccount }> {
  let after: string | undefined;
  for (;;) {
    const page = await store.listDayAccounts({ fromDay, after, limit: ACCOUNTS_PER_LOOK });
    for (const account of page) {
      const about = parseDayAccount(account.name);
      // Behind the days come other kinds of accounts.
      if (about === undefined || about.day > throughDay) return;
      yield { account, about };
    }
    if (page.length < ACCOUNTS_PER_LOOK) return;
    after = page.at(-1)?.name;
  }
}

function toDaySpent(day: string, { pico, tokensIn, tokensOut }: Account): DaySpent {
  return { day, pico: BigInt(pico), tokensIn, tokensOut };
}

function sum(days: readonly DaySpent[]): bigint {
  return days.reduce((total, { pico }) => total + pico, 0n);
}
