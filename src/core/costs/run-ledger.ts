import { collection } from '../store/collection.ts';
import type { Amount, Book } from './account.ts';
import { negate } from './account.ts';
import { dayOf, type Spender } from './scope.ts';
import type { Spent } from './spent.ts';

/** What of a run is in the accounts: settled, and held back for the call it makes now. */
export interface RunLedger {
  readonly runId: string;
  /** Counted in the accounts, with what was lost. */
  readonly pico: string;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Of that, what the log does not tell: calls whose usage nobody knows count as what was held for them. */
  readonly lostPico: string;
  readonly lostIn: number;
  readonly lostOut: number;
  /** The day in whose accounts something is held; undefined when nothing is. */
  readonly heldDay: string | undefined;
  readonly heldPico: string;
  readonly heldIn: number;
  readonly heldOut: number;
  /** How far the log was when that was held. */
  readonly attempts: number;
  readonly tokenGaps: number;
  readonly costGaps: number;
  /** Set when the run has ended and nothing more will be counted. */
  readonly closedAtMs: number | undefined;
}

export const RUN_LEDGERS = collection<RunLedger>()('cost_runs', 'runId');

/** `Spent` as a write is given it: amounts as text. */
export interface GivenSpent extends Omit<Spent, 'pico'> {
  readonly pico: string;
}

export function giveSpent(spent: Spent): GivenSpent {
  return { ...spent, pico: spent.pico.toString() };
}

export interface SpendingRun extends Spender {
  readonly runId: string;
}

interface Settling {
  readonly run: SpendingRun;
  readonly spent: GivenSpent;
  /** Whose accounts what was spent without being held for is counted in. */
  readonly day: string;
  readonly nowMs: number;
}

/**
 * Brings the accounts up to the log: what was held is given back, and what was spent since is counted. A call that was
 * held for and is not on record was lost with its process; it counts as what it may have cost at most.
 */
export function settle(known: RunLedger, settling: Settling, book: Book): RunLedger {
  const { run, spent, day, nowMs } = settling;
  const ledger = keepCounted(known, spent);
  const open = ledger.heldDay === undefined ? ledger : release(ledger, settling, book);
  const total: Amount = {
    pico: BigInt(spent.pico) + BigInt(open.lostPico),
    tokensIn: spent.tokensIn + open.lostIn,
    tokensOut: spent.tokensOut + open.lostOut,
  };
  const more = subtract(total, open);
  book.charge(run, more, momentOf(ledger.heldDay ?? day, nowMs));
  return {
    ...open,
    pico: (BigInt(open.pico) + more.pico).toString(),
    tokensIn: open.tokensIn + more.tokensIn,
    tokensOut: open.tokensOut + more.tokensOut,
    attempts: spent.attempts,
    tokenGaps: spent.tokenGaps,
    costGaps: spent.costGaps,
  };
}

/** The log lost its end with a process, and a call that was counted is made again: it counts beside the new one. */
function keepCounted(ledger: RunLedger, spent: GivenSpent): RunLedger {
  if (spent.attempts >= ledger.attempts) return ledger;
  const beyond = subtract({ ...ledger, pico: BigInt(ledger.pico) }, spent);
  return {
    ...ledger,
    lostPico: beyond.pico.toString(),
    lostIn: beyond.tokensIn,
    lostOut: beyond.tokensOut,
  };
}

function release(
  ledger: RunLedger,
  { run, spent }: Pick<Settling, 'run' | 'spent'>,
  book: Book,
): RunLedger {
  const { heldDay = '', heldIn, heldOut } = ledger;
  const heldPico = BigInt(ledger.heldPico);
  book.hold(run, negate({ pico: heldPico, tokensIn: heldIn, tokensOut: heldOut }), heldDay);
  const isLost = spent.attempts <= ledger.attempts;
  const hasTokenGap = isLost || spent.tokenGaps > ledger.tokenGaps;
  const hasCostGap = isLost || spent.costGaps > ledger.costGaps;
  return {
    ...ledger,
    lostPico: (BigInt(ledger.lostPico) + (hasCostGap ? heldPico : 0n)).toString(),
    lostIn: ledger.lostIn + (hasTokenGap ? heldIn : 0),
    lostOut: ledger.lostOut + (hasTokenGap ? heldOut : 0),
    heldDay: undefined,
    heldPico: '0',
    heldIn: 0,
    heldOut: 0,
  };
}

/** Spent on the day it was held for, also when that is over by now. */
function momentOf(day: string, nowMs: number): number {
  return dayOf(nowMs) === day ? nowMs : Date.parse(day);
}

function subtract(
  total: Amount,
  { pico, tokensIn, tokensOut }: Pick<RunLedger, 'pico' | 'tokensIn' | 'tokensOut'>,
): Amount {
  const atLeastNone = (value: number) => Math.max(0, value);
  const more = total.pico - BigInt(pico);
  return {
    pico: more > 0n ? more : 0n,
    tokensIn: atLeastNone(total.tokensIn - tokensIn),
    tokensOut: atLeastNone(total.tokensOut - tokensOut),
  };
}

export function blankLedger(runId: string): RunLedger {
  return {
    runId,
    pico: '0',
    tokensIn: 0,
    tokensOut: 0,
    lostPico: '0',
    lostIn: 0,
    lostOut: 0,
    heldDay: undefined,
    heldPico: '0',
    heldIn: 0,
    heldOut: 0,
    attempts: 0,
    tokenGaps: 0,
    costGaps: 0,
    closedAtMs: undefined,
  };
}
