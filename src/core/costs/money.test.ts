import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  countAffordable,
  formatUsd,
  fromLoggedUsd,
  parseUsd,
  priceTokens,
  toUsd,
} from './money.ts';

describe('money', () => {
  test.each([
    ['0', 0n, '0'],
    [0.1, 100_000_000_000n, '0.1'],
    ['0.30', 300_000_000_000n, '0.3'],
    [1e-7, 100_000n, '0.0000001'],
    ['1e-12', 1n, '0.000000000001'],
    ['12.5e1', 125_000_000_000_000n, '125'],
    ['1000000000', 10n ** 21n, '1000000000'],
  ])('reads %s exactly', (given, pico, text) => {
    expect([parseUsd(given, 'cost_usd'), formatUsd(pico)]).toEqual([pico, text]);
  });

  test.each([
    [-1, 'cost_usd must be a decimal number of US dollars, at least 0'],
    [Number.NaN, 'cost_usd must be a decimal number of US dollars, at least 0'],
    ['1,5', 'cost_usd must be a decimal number of US dollars, at least 0'],
    ['', 'cost_usd must be a decimal number of US dollars, at least 0'],
    ['0.0000000000001', 'cost_usd must have at most 12 decimals'],
    ['1000000000.01', 'cost_usd must be at most 1000000000'],
  ])('refuses %s', (given, message) => {
    expect(() => parseUsd(given, 'cost_usd')).toThrow(message);
  });

  test('comes back from JSON as it went there, up to 15 digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), (pico) => {
        const told = JSON.parse(JSON.stringify(toUsd(pico)));
        expect(parseUsd(told, 'cost_usd')).toBe(pico);
        expect(fromLoggedUsd(told)).toBe(pico);
      }),
    );
  });

  test('never affords tokens that cost more than there is', () => {
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 14n });
    fc.assert(
      fc.property(amounts, fc.bigInt({ min: 1n, max: 10n ** 14n }), (pico, perMillion) => {
        const tokens = countAffordable(pico, perMillion) ?? 0;
        fc.pre(tokens < Number.MAX_SAFE_INTEGER);
        expect(priceTokens(tokens, perMillion)).toBeLessThanOrEqual(pico);
        expect(priceTokens(tokens + 1, perMillion)).toBeGreaterThan(pico);
      }),
    );
  });
});
