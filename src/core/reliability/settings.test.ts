import { expect, test } from 'vitest';
import { isGuarded, resolveMode } from './reliability-mode.ts';
import { DEFAULT_RELIABILITY, resolveSettings } from './settings.ts';

test('the defaults are those of the contract', () => {
  expect(resolveSettings()).toEqual(DEFAULT_RELIABILITY);
  expect(DEFAULT_RELIABILITY).toMatchObject({
    breaker: {
      failureThreshold: 5,
      failureRate: 0.5,
      windowSize: 100,
      resetTimeoutMs: 30_000,
      halfOpenConcurrency: 1,
    },
    retry: { maxRetries: 3, initialDelayMs: 500, maxDelayMs: 5_000 },
    idempotency: { successTtlMs: 86_400_000, failureTtlMs: 60_000, keyWindowMs: 3_600_000 },
  });
});

test('every number can be overridden alone', () => {
  const settings = resolveSettings({ breaker: { resetTimeoutMs: 1 }, timeoutMs: 5 });

  expect(settings).toEqual({
    ...DEFAULT_RELIABILITY,
    breaker: { ...DEFAULT_RELIABILITY.breaker, resetTimeoutMs: 1 },
    timeoutMs: 5,
  });
});

test('numbers out of bounds and unknown fields are refused by name', () => {
  const bad: [object, RegExp][] = [
    [{ breaker: { failureRate: 0 } }, /breaker\.failureRate/],
    [{ retry: { maxRetries: 1.5 } }, /retry\.maxRetries/],
    [{ timeoutMs: 2 ** 31 }, /timeoutMs/],
    [{ idempotency: { leaseMs: 0 } }, /idempotency\.leaseMs/],
    [{ retry: { retries: 3 } }, /retry.*retries/],
    [{ retires: {} }, /retires/],
  ];

  for (const [overrides, message] of bad) {
    expect(() => resolveSettings(overrides)).toThrow(message);
  }
});

test('the kill switch overrides the configured mode', () => {
  const rows = [
    [undefined, 'shadow', 'shadow'],
    ['', 'all', 'all'],
    ['false', 'all', 'off'],
    [' FALSE ', 'all', 'off'],
    ['0', 'read_only', 'off'],
    ['true', 'off', 'all'],
    ['true', 'shadow', 'shadow'],
    ['read_only', 'all', 'read_only'],
    ['ture', 'all', 'all'],
  ] as const;

  const resolved = rows.map(([flag, configured]) => resolveMode(flag, configured));

  expect(resolved).toEqual(rows.map(([, , expected]) => expected));
});

test('read_only guards reads, all guards everything, off and shadow guard nothing', () => {
  const guarded = (['off', 'shadow', 'read_only', 'all'] as const).map((mode) => [
    isGuarded(mode, 'read'),
    isGuarded(mode, 'write'),
  ]);

  expect(guarded).toEqual([
    [false, false],
    [false, false],
    [true, false],
    [true, true],
  ]);
});
