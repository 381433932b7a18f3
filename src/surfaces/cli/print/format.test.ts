import { expect, test } from 'vitest';
import { formatDuration } from './format.ts';

test('durations are read at a glance', () => {
  expect([0, 999, 1_000, 59_900, 61_000, 3_600_000, 90_000_000].map(formatDuration)).toEqual([
    '0 ms',
    '999 ms',
    '1.0 s',
    '59.9 s',
    '1 min 1 s',
    '1 h 0 min',
    '25 h 0 min',
  ]);
});
