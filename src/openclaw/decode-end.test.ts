import { expect, test } from 'vitest';
import { decodeUsage } from './decode-end.ts';

test.each([
  [
    { input: 1.5, output: 2.2 },
    { inputTokens: 2, outputTokens: 3 },
  ],
  [
    { input: 10, output: 1, cacheRead: 4, cost: { total: 1e300 } },
    { inputTokens: 14, outputTokens: 1, cachedInputTokens: 4 },
  ],
  [
    { input: -1, output: 1 },
    { inputTokens: null, outputTokens: null },
  ],
  [
    { input: Number.POSITIVE_INFINITY, output: 1 },
    { inputTokens: null, outputTokens: null },
  ],
])('%j is counted as what a ledger can hold', (usage, counted) => {
  expect(decodeUsage(usage)).toEqual(counted);
});
