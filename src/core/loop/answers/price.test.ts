import { expect, test } from 'vitest';
import { createPriceTable } from './price.ts';

const table = createPriceTable({
  'openai/small': {
    inputPerMillionUsd: 0.25,
    outputPerMillionUsd: 2,
    cachedInputPerMillionUsd: 0.025,
  },
  'openai/plain': { inputPerMillionUsd: 3, outputPerMillionUsd: 15 },
  'offline/rules': { inputPerMillionUsd: 0, outputPerMillionUsd: 0 },
});

test('adds input, cached input and output at their own prices', () => {
  const cost = table.costUsd('openai/small', {
    inputTokens: 3_000_000,
    outputTokens: 1_000_000,
    cachedInputTokens: 2_000_000,
  });

  expect(cost).toBe(0.25 + 0.05 + 2);
});

test('charges cached input as input when no cached price is listed', () => {
  const usage = { inputTokens: 1000, outputTokens: 0, cachedInputTokens: 900 };

  expect(table.costUsd('openai/plain', usage)).toBe(0.003);
});

test('keeps the cost of a single token', () => {
  expect(table.costUsd('openai/small', { inputTokens: 1, outputTokens: 0 })).toBe(0.000_000_25);
});

test('knows no price for a model that is not listed', () => {
  const usage = { inputTokens: 10, outputTokens: 10 };

  expect(table.costUsd('openai/other', usage)).toBeNull();
  expect(table.costUsd('small', usage)).toBeNull();
  expect(table.costUsd('toString', usage)).toBeNull();
});

test('knows no cost when the server reported no usage, unless the model is free', () => {
  const unreported = { inputTokens: 0, outputTokens: 0 };

  expect(table.costUsd('openai/small', unreported)).toBeNull();
  expect(table.costUsd('offline/rules', unreported)).toBe(0);
});

test('never charges less than nothing when a server counts more cached tokens than input', () => {
  const usage = { inputTokens: 10, outputTokens: 0, cachedInputTokens: 1_000_000 };

  expect(table.costUsd('openai/small', usage)).toBe((10 * 0.025) / 1_000_000);
});
