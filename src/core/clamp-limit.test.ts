import { expect, test } from 'vitest';
import { clampLimit } from './clamp-limit.ts';

test.each([
  [10, 10],
  [10.9, 10],
  [100, 100],
  [101, 100],
  [Number.POSITIVE_INFINITY, 100],
  [0, 0],
  [0.9, 0],
  [-0.5, 0],
  [-3, 0],
  [Number.NEGATIVE_INFINITY, 0],
  [Number.NaN, 0],
])('of %d rows with a bound of 100 a page has %d', (limit, rows) => {
  expect(clampLimit(limit, 100)).toBe(rows);
});
