import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RuntimeError } from '../errors.ts';
import { parseDuration } from './parse-duration.ts';

const UNIT_NS = { h: 3_600_000_000_000n, m: 60_000_000_000n, s: 1_000_000_000n, ms: 1_000_000n };

function refusalOf(text: string): string {
  try {
    return `accepted as ${parseDuration(text)}`;
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(RuntimeError);
    expect(thrown).toMatchObject({ code: 'invalid_input', details: { field: 'schedule' } });
    return (thrown as RuntimeError).message;
  }
}

const HOW =
  'write numbers with the units h, m, s, ms, us or ns, at least 1s together, as in 1h30m, 90s or 1.5h';

test.each([
  ['1h30m', 5_400_000],
  ['90s', 90_000],
  ['1.5h', 5_400_000],
  ['1s', 1_000],
  ['+2m', 120_000],
  ['1500ms', 1_500],
  ['1500000us', 1_500],
  ['1500000\u00b5s', 1_500],
  ['1500000\u03bcs', 1_500],
  ['2000000000ns', 2_000],
  ['1h1h', 7_200_000],
  ['.5m', 30_000],
  ['1.h', 3_600_000],
  ['1m0.001s', 60_001],
  ['2562047h47m16.854s', 9_223_372_036_854],
])('%s is %d milliseconds', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  ['0', 'is shorter than 1s'],
  ['0s', 'is shorter than 1s'],
  ['500ms', 'is shorter than 1s'],
  ['999999999ns', 'is shorter than 1s'],
  ['-1h', 'is shorter than 1s'],
  ['-0', 'is shorter than 1s'],
  ['1.0005s', 'is finer than a millisecond'],
  ['2562048h', 'is too long'],
  ['99999999999999999999h', 'is too long'],
  ['', 'is not a duration'],
  ['-', 'is not a duration'],
  ['h', 'is not a duration'],
  ['.h', 'is not a duration'],
  ['10', 'is not a duration'],
  ['1d', 'is not a duration'],
  ['1 h', 'is not a duration'],
  ['1H', 'is not a duration'],
  ['1h-30m', 'is not a duration'],
  ['1h30', 'is not a duration'],
  ['1e3s', 'is not a duration'],
  ['NaNs', 'is not a duration'],
  ['١h', 'is not a duration'],
])('refuses %j and says what is supported', (text, why) => {
  expect(refusalOf(text)).toBe(`${JSON.stringify(text)} ${why}: ${HOW}`);
});

test('refuses a text that is far too long without quoting all of it', () => {
  const message = refusalOf('1'.repeat(1_000_000));

  expect(message).toBe(`"${'1'.repeat(64)}" is not a duration: ${HOW}`);
});

test('a sum of whole parts is what its parts add up to', () => {
  const part = fc.tuple(fc.nat(10_000), fc.constantFrom('h', 'm', 's', 'ms' as const));

  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      const ns = parts.reduce(
        (sum, [count, unit]) => sum + BigInt(count) * UNIT_NS[unit as keyof typeof UNIT_NS],
        0n,
      );
      fc.pre(ns >= UNIT_NS.s);
      const text = parts.map(([count, unit]) => `${count}${unit}`).join('');
      expect(parseDuration(text)).toBe(Number(ns / 1_000_000n));
    }),
  );
});

test('decimals are exact where binary fractions are not', () => {
  fc.assert(
    fc.property(fc.nat(99_999), fc.nat(999), (seconds, thousandths) => {
      fc.pre(seconds > 0);
      const text = `${seconds}.${String(thousandths).padStart(3, '0')}s`;
      expect(parseDuration(text)).toBe(seconds * 1000 + thousandths);
    }),
  );
});

test('whatever the text, it is a whole number of milliseconds or refused', () => {
  const anything = fc.oneof(fc.string(), fc.stringMatching(/^[+-]?[\d.hmsun\u00b5]{0,20}$/));

  fc.assert(
    fc.property(anything, (text) => {
      const outcome = attempt(text);
      expect(
        outcome === 'refused' || (Number.isSafeInteger(outcome) && Number(outcome) >= 1_000),
      ).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

function attempt(text: string): number | 'refused' {
  try {
    return parseDuration(text);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(RuntimeError);
    return 'refused';
  }
}
