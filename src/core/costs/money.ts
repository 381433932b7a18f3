import { RuntimeError } from '../errors.ts';

/**
 * Money is a whole number of picodollars: a token of the cheapest model is thousands of them, so nothing is ever
 * rounded away. Amounts come in and go out as decimals, which are read as text and never added as floats.
 */
export type Pico = bigint;

const DECIMALS = 12;
const PICO_PER_USD = 10n ** BigInt(DECIMALS);
const MAX_USD = 1_000_000_000n;
const DECIMAL = /^(\d{1,16})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

/** Throws `invalid_input` for what is no amount, or has more decimals than are kept. */
export function parseUsd(value: number | string, field: string): Pico {
  const text = typeof value === 'number' ? String(value) : value.trim();
  const match = DECIMAL.exec(text);
  if (!match) throw invalid(field, 'must be a decimal number of US dollars, at least 0');
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole + fraction);
  const shift = DECIMALS - fraction.length + Number(exponent);
  const pico = shift >= 0 ? digits * 10n ** BigInt(shift) : divideExactly(digits, -shift);
  if (pico === undefined) throw invalid(field, `must have at most ${DECIMALS} decimals`);
  if (pico > MAX_USD * PICO_PER_USD) throw invalid(field, `must be at most ${MAX_USD}`);
  return pico;
}

function divideExactly(digits: bigint, places: number): bigint | undefined {
  const divisor = 10n ** BigInt(places);
  return digits % divisor === 0n ? digits / divisor : undefined;
}

function invalid(field: string, rule: string): RuntimeError {
  return new RuntimeError('invalid_input', `${field} ${rule}`);
}

/** Exactly, without needless zeros: `12.34`. */
export function formatUsd(pico: Pico): string {
  const sign = pico < 0n ? '-' : '';
  const amount = pico < 0n ? -pico : pico;
  const fraction = (amount % PICO_PER_USD).toString().padStart(DECIMALS, '0').replace(/0+$/, '');
  const whole = (amount / PICO_PER_USD).toString();
  return `${sign}${fraction === '' ? whole : `${whole}.${fraction}`}`;
}

/** As JSON has it: the number that reads as the exact decimal, as long as that has no more than 15 digits. */
export function toUsd(pico: Pico): number {
  return Number(formatUsd(pico));
}

/** Of a price of the log: it was a decimal before it was a number, and is that again. */
export function fromLoggedUsd(costUsd: number): Pico {
  return BigInt(Math.round(costUsd * Number(PICO_PER_USD)));
}

const MILLION = 1_000_000n;

/** What so many tokens cost at a price per million, rounded up to the picodollar. */
export function priceTokens(tokens: number, perMillion: Pico): Pico {
  return (BigInt(tokens) * perMillion + MILLION - 1n) / MILLION;
}

/** How many tokens an amount pays for; undefined when they are free. */
export function countAffordable(pico: Pico, perMillion: Pico): number | undefined {
  if (perMillion === 0n) return pico >= 0n ? undefined : 0;
  if (pico < 0n) return 0;
  return Number((pico * MILLION) / perMillion);
}
