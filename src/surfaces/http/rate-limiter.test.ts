import { expect, test } from 'vitest';
import { createRateLimiter } from './rate-limiter.ts';

test('allows the limit, refuses the next, and counts anew with the next window', () => {
  let nowMs = 0;
  const limiter = createRateLimiter({ max: 2, windowMs: 1500, maxKeys: 10, nowMs: () => nowMs });

  const first = limiter.take('a');
  const second = limiter.take('a');
  nowMs = 1400;
  const third = limiter.take('a');
  nowMs = 1500;
  const fourth = limiter.take('a');

  expect([first, second, third, fourth]).toEqual([
    { isAllowed: true, limit: 2, remaining: 1, resetSeconds: 2 },
    { isAllowed: true, limit: 2, remaining: 0, resetSeconds: 2 },
    { isAllowed: false, limit: 2, remaining: 0, resetSeconds: 1 },
    { isAllowed: true, limit: 2, remaining: 1, resetSeconds: 2 },
  ]);
});

test('counts each key by itself and forgets the oldest when there are too many', async () => {
  const limiter = createRateLimiter({ max: 1, windowMs: 1000, maxKeys: 2, nowMs: () => 0 });
  await limiter.take('a');
  await limiter.take('b');

  const knownKey = await limiter.take('a');
  await limiter.take('c');
  const forgottenKey = await limiter.take('a');
  const keptKey = await limiter.take('c');

  expect([knownKey.isAllowed, forgottenKey.isAllowed, keptKey.isAllowed]).toEqual([
    false,
    true,
    false,
  ]);
});

test('counts anew when the clock was set back, instead of waiting for the old time to return', async () => {
  let nowMs = 3_600_000;
  const limiter = createRateLimiter({ max: 1, windowMs: 1000, maxKeys: 10, nowMs: () => nowMs });
  await limiter.take('a');

  nowMs = 0;
  const after = await limiter.take('a');

  expect(after).toEqual({ isAllowed: true, limit: 1, remaining: 0, resetSeconds: 1 });
});

test('limits that change count from the next use on', () => {
  let max = 1;
  const limiter = createRateLimiter({
    get max() {
      return max;
    },
    windowMs: 1000,
    maxKeys: 10,
    nowMs: () => 0,
  });

  const before = [limiter.take('a'), limiter.take('a')];
  max = 3;
  const after = [limiter.take('a'), limiter.take('a')];

  expect([...before, ...after]).toMatchObject([
    { isAllowed: true, limit: 1 },
    { isAllowed: false, limit: 1 },
    { isAllowed: true, limit: 3 },
    { isAllowed: false, limit: 3 },
  ]);
});
