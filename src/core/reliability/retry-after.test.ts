import { expect, test } from 'vitest';
import { parseRetryAfterMs } from './retry-after.ts';

const NOW_MS = Date.parse('2026-03-01T10:00:00Z');

test.each<[Readonly<Record<string, string>>, number | undefined]>([
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '0.25' }, 250],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
  [{ 'retry-after': 'Sun, 01 Mar 2026 10:00:20 GMT' }, 20_000],
  [{ 'retry-after': 'Sun, 01 Mar 2026 09:00:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-3' }, undefined],
  [{}, undefined],
])('reads %j', (headers, expected) => {
  expect(parseRetryAfterMs((name) => headers[name], NOW_MS)).toBe(expected);
});
