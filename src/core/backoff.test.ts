import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Backoff, backoffMs } from './backoff.ts';

const bounds = fc
  .tuple(fc.nat(10_000), fc.nat(120_000))
  .map(([firstMs, moreMs]): Backoff => ({ firstMs, maxMs: firstMs + moreMs }));
const failures = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 2 ** 31 }));
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test('doubles from the first wait to the longest', () => {
  const waits = [1, 2, 3, 4, 5, 6].map((count) => backoffMs({ firstMs: 250, maxMs: 3_000 }, count));

  expect(waits).toEqual([250, 500, 1_000, 2_000, 3_000, 3_000]);
});

test('a half left to chance waits between half and all, and all of it anything', () => {
  const wait = (jitter: number, random: number) =>
    backoffMs({ firstMs: 100, maxMs: 1_000, jitter }, 2, () => random);

  expect([0, 0.5, 0.999_999].map((random) => wait(0.5, random))).toEqual([100, 150, 200]);
  expect([0, 0.5, 0.999_999].map((random) => wait(1, random))).toEqual([0, 100, 200]);
});

test('however many failures there were, a wait is whole, within its bounds, and never shorter than before', () => {
  fc.assert(
    fc.property(bounds, failures, chance, chance, (backoff, count, jitter, random) => {
      const mostMs = backoffMs(backoff, count);
      const waitMs = backoffMs({ ...backoff, jitter }, count, () => random);

      expect(Number.isSafeInteger(waitMs)).toBe(true);
      expect(waitMs).toBeLessThanOrEqual(mostMs);
      expect(waitMs).toBeGreaterThanOrEqual(Math.floor(mostMs * (1 - jitter)));
      expect(mostMs).toBeGreaterThanOrEqual(Math.min(backoff.firstMs, backoff.maxMs));
      expect(mostMs).toBeLessThanOrEqual(backoff.maxMs);
      expect(backoffMs(backoff, count + 1)).toBeGreaterThanOrEqual(mostMs);
    }),
  );
});
