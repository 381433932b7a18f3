import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { createExclusiveRecorder } from './exclusive-recorder.ts';

function harness() {
  const clock = new ManualClock();
  const calls: string[] = [];
  let holder: string | undefined;
  const open = (name: string) =>
    createExclusiveRecorder({
      clock,
      recorder: {
        start: () => void calls.push(`${name} starts`),
        stop: async () => void calls.push(`${name} stops`),
      },
      tryLock: () => {
        if (holder !== undefined) return undefined;
        holder = name;
        return {
          close: () => {
            holder = undefined;
          },
        };
      },
    });
  return { clock, calls, open };
}

test('the first records, the second takes over when the first has left', async () => {
  const { clock, calls, open } = harness();
  const first = open('first');
  const second = open('second');
  first.start();
  second.start();
  clock.advance(10_000);

  await first.stop();
  clock.advance(2_000);
  await second.stop();

  expect(calls).toEqual(['first starts', 'first stops', 'second starts', 'second stops']);
  expect(clock.pendingTimers).toBe(0);
});

test('one that never got the lock records nothing and leaves no timer behind', async () => {
  const { clock, calls, open } = harness();
  open('first').start();
  const second = open('second');
  second.start();

  await second.stop();

  expect(calls).toEqual(['first starts']);
  expect(clock.pendingTimers).toBe(0);
});
