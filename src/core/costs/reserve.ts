import type { Amount, Book } from './account.ts';
import type { Budget } from './budget.ts';
import { countAffordable, priceTokens } from './money.ts';
import type { RunLedger } from './run-ledger.ts';
import { type BudgetScope, nameAccount } from './scope.ts';

/** A call of a model that is about to be made. */
export interface WantedCall {
  /** No more than these go in. */
  readonly tokensIn: number;
  /** So many may come out; fewer will do, down to the second number. */
  readonly tokensOut: number;
  readonly minTokensOut: number;
  /** Picodollars per million tokens, as text; undefined when the price is not known. */
  readonly price: { readonly in: string; readonly out: string } | undefined;
  /** Whether to wait when only calls of others that are under way stand against it. */
  readonly isPatient: boolean;
}

export type Reserved =
  | { readonly outcome: 'granted'; readonly tokensOut: number }
  /** It may fit as soon as calls of others have come to their end. */
  | { readonly outcome: 'busy' }
  | { readonly outcome: 'refused'; readonly scope: BudgetScope; readonly isMoney: boolean }
  | { readonly outcome: 'unpriced'; readonly scope: BudgetScope };

/** What is left of a budget: now, and when nothing of others is held back any more. */
interface Room {
  readonly scope: BudgetScope;
  readonly pico: { readonly now: bigint; readonly later: bigint } | undefined;
  readonly tokens: { readonly now: number; readonly later: number } | undefined;
}

export interface Purse {
  readonly budgets: readonly Budget[];
  readonly book: Book;
  readonly ledger: RunLedger;
  readonly day: string;
}

/** Whether the call fits into every budget, whatever it comes to cost. Nothing is changed. */
export function judgeCall(purse: Purse, wanted: WantedCall): Reserved {
  const rooms = purse.budgets.map((budget) => findRoom(budget, purse));
  const money = rooms.find(({ pico }) => pico !== undefined);
  if (money && wanted.price === undefined) return { outcome: 'unpriced', scope: money.scope };
  const now = countAll(rooms, wanted, 'now');
  if (now >= wanted.tokensOut) return { outcome: 'granted', tokensOut: wanted.tokensOut };
  const later = countAll(rooms, wanted, 'later');
  const isWorthWaiting = wanted.isPatient && later >= wanted.tokensOut;
  if (isWorthWaiting) return { outcome: 'busy' };
  if (now >= wanted.minTokensOut) return { outcome: 'granted', tokensOut: now };
  if (wanted.isPatient && later >= wanted.minTokensOut) return { outcome: 'busy' };
  return refuse(rooms, wanted);
}

/** What the call costs at most. */
export function boundOf({ tokensIn, price }: WantedCall, tokensOut: number): Amount {
  const pico = price
    ? priceTokens(tokensIn, BigInt(price.in)) + priceTokens(tokensOut, BigInt(price.out))
    : 0n;
  return { pico, tokensIn, tokensOut };
}

function findRoom({ scope, pico, tokens }: Budget, { book, ledger, day }: Purse): Room {
  const name = nameAccount(scope, day);
  // A run is counted by its own ledger, and holds nothing back but for itself.
  const account =
    name === undefined ? { ...ledger, heldPico: '0', heldTokens: 0 } : book.find(name);
  const spentPico = BigInt(account?.pico ?? '0');
  const spentTokens = (account?.tokensIn ?? 0) + (account?.tokensOut ?? 0);
  return {
    scope,
    pico:
      pico === undefined
        ? undefined
        : {
            now: pico - spentPico - BigInt(account?.heldPico ?? '0'),
            later: pico - spentPico,
          },
    tokens:
      tokens === undefined
        ? undefined
        : {
            now: tokens - spentTokens - (account?.heldTokens ?? 0),
            later: tokens - spentTokens,
          },
  };
}

type When = 'now' | 'later';

/** How many tokens may come out so that all rooms suffice; negative when not even the question fits. */
function countAll(rooms: readonly Room[], wanted: WantedCall, when: When): number {
  return Math.min(wanted.tokensOut, ...rooms.map((room) => countFitting(room, wanted, when)));
}

function countFitting(room: Room, wanted: WantedCall, when: When): number {
  return Math.min(countByMoney(room, wanted, when), countByTokens(room, wanted, when));
}

function countByMoney(
  { pico }: Room,
  { tokensIn, tokensOut, price }: WantedCall,
  when: When,
): number {
  if (pico === undefined || price === undefined) return tokensOut;
  const left = pico[when] - priceTokens(tokensIn, BigInt(price.in));
  if (left < 0n) return -1;
  return Math.min(tokensOut, countAffordable(left, BigInt(price.out)) ?? tokensOut);
}

function countByTokens({ tokens }: Room, { tokensIn, tokensOut }: WantedCall, when: When): number {
  return tokens === undefined ? tokensOut : Math.max(-1, tokens[when] - tokensIn);
}

function refuse(rooms: readonly Room[], wanted: WantedCall): Reserved {
  const isTight = (room: Room) => countFitting(room, wanted, 'now') < wanted.minTokensOut;
  const room = rooms.find(isTight);
  if (!room) throw new TypeError('a call was refused that fits');
  const isMoney = countByMoney(room, wanted, 'now') < wanted.minTokensOut;
  return { outcome: 'refused', scope: room.scope, isMoney };
}
