import { expect, test } from 'vitest';
import { formatRelative } from './format.ts';

test.each([
  { difference: -9_000, text: 'just now' },
  { difference: 1_500, text: 'just now' },
  { difference: 1_501, text: 'in a moment' },
  { difference: -12_000, text: '12 seconds ago' },
  { difference: 5 * 60_000, text: 'in 5 minutes' },
])('a difference of $difference ms is told as "$text"', ({ difference, text }) => {
  expect(formatRelative(1_000_000 + difference, 1_000_000)).toBe(text);
});
