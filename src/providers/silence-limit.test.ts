import { expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { createSilenceLimit } from './silence-limit.ts';

test('aborts after the silence, counted from the last sign of life', async () => {
  const clock = new ManualClock();
  const limit = createSilenceLimit(clock, 100, new AbortController().signal);

  await clock.advance(60);
  limit.touch();
  await clock.advance(99);
  expect([limit.signal.aborted, limit.isTimedOut]).toEqual([false, false]);

  await clock.advance(1);
  expect([limit.signal.aborted, limit.isTimedOut]).toEqual([true, true]);
});

test('aborts with its caller, which is no timeout', () => {
  const caller = new AbortController();
  const limit = createSilenceLimit(new ManualClock(), 100, caller.signal);

  caller.abort();

  expect([limit.signal.aborted, limit.isTimedOut]).toEqual([true, false]);
});

test('is aborted at once for a caller that already gave up', () => {
  const limit = createSilenceLimit(new ManualClock(), 100, AbortSignal.abort());

  expect(limit.signal.aborted).toBe(true);
});
