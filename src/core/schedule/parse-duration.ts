import { RuntimeError } from '../errors.ts';

/** A job that is due more often than this would be a busy loop made of runs. */
const MIN_INTERVAL_MS = 1_000;

/** Longer than any sensible duration; it bounds the arithmetic below. */
const MAX_DURATION_CHARS = 64;

/** What a 64-bit count of nanoseconds holds: about 292 years. */
const MAX_NS = 2n ** 63n - 1n;
const NS_PER_MS = 1_000_000n;

const NS_PER_UNIT: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  // The micro sign and the Greek letter mu look the same and are both in use.
  '\u00b5s': 1_000n,
  '\u03bcs': 1_000n,
  ms: NS_PER_MS,
  s: 1_000n * NS_PER_MS,
  m: 60_000n * NS_PER_MS,
  h: 3_600_000n * NS_PER_MS,
};

const PART = /(\d*)(?:\.(\d*))?(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/y;

/**
 * The milliseconds of an interval written as in Go: `1h30m`, `90s`, `1.5h`. Throws `invalid_input` for anything else,
 * and for what is under a second or finer than a millisecond.
 */
export function parseDuration(text: string): number {
  const ns = countNanoseconds(text);
  if (ns === undefined) throw unusable(text, 'is not a duration');
  if (ns > MAX_NS) throw unusable(text, 'is too long');
  if (ns < BigInt(MIN_INTERVAL_MS) * NS_PER_MS) throw unusable(text, 'is shorter than 1s');
  if (ns % NS_PER_MS !== 0n) throw unusable(text, 'is finer than a millisecond');
  return Number(ns / NS_PER_MS);
}

/** Undefined when the text is no duration; a negative one counts as none, which is as unusable. */
function countNanoseconds(text: string): bigint | undefined {
  if (text.length > MAX_DURATION_CHARS) return undefined;
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return 0n;
  if (unsigned === '') return undefined;
  let total = 0n;
  for (let at = 0; at < unsigned.length; at = PART.lastIndex) {
    PART.lastIndex = at;
    const part = PART.exec(unsigned);
    if (!part) return undefined;
    const [, whole = '', fraction = '', unit = ''] = part;
    if (whole === '' && fraction === '') return undefined;
    const scale = NS_PER_UNIT[unit] ?? 0n;
    const digits = BigInt(`${whole}${fraction}`);
    total += (digits * scale) / 10n ** BigInt(fraction.length);
  }
  return text.startsWith('-') ? 0n : total;
}

function unusable(text: string, why: string): RuntimeError {
  const shown = JSON.stringify(text.slice(0, MAX_DURATION_CHARS));
  return new RuntimeError(
    'invalid_input',
    `${shown} ${why}: write numbers with the units h, m, s, ms, us or ns, at least 1s together, as in 1h30m, 90s or 1.5h`,
    { details: { field: 'schedule' } },
  );
}
