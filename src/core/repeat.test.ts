import { expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { repeat } from './repeat.ts';

test('the next time is counted from the end of the last, also of one that failed', async () => {
  const clock = new ManualClock();
  const ends: (() => void)[] = [];
  const stop = repeat(clock, 100, () => new Promise((_, reject) => ends.push(reject)));

  clock.advance(99);
  expect(ends).toHaveLength(0);
  clock.advance(1);
  expect(ends).toHaveLength(1);
  clock.advance(1_000);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await Promise.resolve();
  clock.advance(100);
  expect(ends).toHaveLength(2);
  stop();
});

test('nothing comes after a stop, neither what waits nor what would follow what is under way', async () => {
  const clock = new ManualClock();
  let count = 0;
  const stopWaiting = repeat(clock, 100, async () => {
    count += 1;
  });
  stopWaiting();
  clock.advance(1_000);
  expect(count).toBe(0);

  const ends: (() => void)[] = [];
  const stopWorking = repeat(clock, 100, () => new Promise<void>((resolve) => ends.push(resolve)));
  clock.advance(100);
  stopWorking();
  ends[0]?.();
  await Promise.resolve();
  clock.advance(1_000);
  expect(ends).toHaveLength(1);
});
