import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { countSlots, slotAfter, slotNotAfter } from './slots.ts';

const SERIES = { anchorMs: 1_000, everyMs: 300 };

test.each([
  [-5_000, 1_300, undefined],
  [1_000, 1_300, undefined],
  [1_299, 1_300, undefined],
  [1_300, 1_600, 1_300],
  [1_301, 1_600, 1_300],
  [1_600, 1_900, 1_600],
])('at %d the next slot is %d and the newest %s', (ms, next, newest) => {
  expect([slotAfter(SERIES, ms), slotNotAfter(SERIES, ms)]).toEqual([next, newest]);
});

test('counts both ends of a stretch, and nothing of an empty one', () => {
  expect([
    countSlots(SERIES, 1_300, 1_300),
    countSlots(SERIES, 1_300, 2_200),
    countSlots(SERIES, 1_600, 1_300),
  ]).toEqual([1, 4, 0]);
});

const series = fc.record({ anchorMs: fc.nat(10_000), everyMs: fc.integer({ min: 1, max: 500 }) });

test('agrees with walking from slot to slot', () => {
  fc.assert(
    fc.property(series, fc.integer({ min: -1_000, max: 20_000 }), (given, ms) => {
      let newest: number | undefined;
      let next = given.anchorMs + given.everyMs;
      let count = 0;
      while (next <= ms) {
        newest = next;
        next += given.everyMs;
        count += 1;
      }

      expect(slotAfter(given, ms)).toBe(next);
      expect(slotNotAfter(given, ms)).toBe(newest);
      expect(countSlots(given, given.anchorMs + given.everyMs, newest ?? 0)).toBe(count);
    }),
  );
});

test('stays exact over centuries of seconds', () => {
  const wide = { anchorMs: 1_800_000_000_123, everyMs: 1_000 };
  const farMs = wide.anchorMs + 9_000_000_000_000;

  expect(slotAfter(wide, farMs)).toBe(farMs + 1_000);
  expect(slotNotAfter(wide, farMs + 999)).toBe(farMs);
  expect(countSlots(wide, wide.anchorMs + 1_000, farMs)).toBe(9_000_000_000);
});
