import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { systemClock } from '../clock.ts';
import { Deadlines } from './deadline.ts';

test('a deadline fires once at its time, and not when it was cancelled', () => {
  const clock = new ManualClock();
  const deadlines = new Deadlines(clock);
  const fired: string[] = [];

  deadlines.start(100, () => fired.push('first'));
  deadlines.start(100, () => fired.push('cancelled')).cancel();
  clock.advance(40);
  deadlines.start(100, () => fired.push('second'));
  clock.advance(59);
  const early = [...fired];
  clock.advance(1);
  const onTime = [...fired];
  clock.advance(1_000);

  expect(early).toEqual([]);
  expect(onTime).toEqual(['first']);
  expect(fired).toEqual(['first', 'second']);
  expect([deadlines.pending, clock.pendingTimers]).toEqual([0, 0]);
});

test('all deadlines of one duration share a timer', () => {
  const clock = new ManualClock();
  const deadlines = new Deadlines(clock);

  for (let call = 0; call < 1_000; call += 1) deadlines.start(30_000, () => {});

  expect(clock.pendingTimers).toBe(1);
  expect(deadlines.pending).toBe(1_000);
});

test('more durations than there are queues still work', () => {
  const clock = new ManualClock();
  const deadlines = new Deadlines(clock);
  let fired = 0;

  for (let ms = 1; ms <= 400; ms += 1) deadlines.start(ms, () => (fired += 1));
  deadlines.start(399, () => (fired += 1)).cancel();
  clock.advance(400);

  expect(fired).toBe(400);
});

test('a callback may begin another deadline', () => {
  const clock = new ManualClock();
  const deadlines = new Deadlines(clock);
  const firedAtMs: number[] = [];
  const startMs = clock.nowMs();

  deadlines.start(10, () => {
    firedAtMs.push(clock.nowMs() - startMs);
    deadlines.start(10, () => firedAtMs.push(clock.nowMs() - startMs));
  });
  clock.advance(100);

  expect(firedAtMs).toEqual([10, 20]);
});

test('a wall clock that is set back does not lengthen what is pending', () => {
  let wallMs = 10_000_000;
  const timers: { dueMs: number; fire: () => void }[] = [];
  let elapsedMs = 0;
  const deadlines = new Deadlines({
    ...systemClock,
    nowMs: () => wallMs,
    after: (ms, fire) => {
      timers.push({ dueMs: elapsedMs + ms, fire });
      return () => {};
    },
  });
  let fired = false;
  deadlines.start(1_000, () => (fired = true));

  wallMs -= 3_600_000;
  for (elapsedMs = 0; elapsedMs <= 2_100; elapsedMs += 100, wallMs += 100) {
    for (const timer of timers.splice(0)) {
      if (timer.dueMs <= elapsedMs) timer.fire();
      else timers.push(timer);
    }
  }

  expect(fired).toBe(true);
});

test('any mix of starts, cancels and time fires each deadline exactly at its time', () => {
  const step = fc.oneof(
    fc.record({ start: fc.constantFrom(10, 25, 100) }),
    fc.record({ cancel: fc.nat(30) }),
    fc.record({ wait: fc.integer({ min: 0, max: 60 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const clock = new ManualClock();
      const deadlines = new Deadlines(clock);
      const all: { dueMs: number; cancelled: boolean; firedAtMs: number[]; cancel: () => void }[] =
        [];
      for (const action of steps) {
        if ('wait' in action) clock.advance(action.wait);
        else if ('cancel' in action) {
          const chosen = all[action.cancel];
          if (chosen && chosen.firedAtMs.length === 0) {
            chosen.cancelled = true;
            chosen.cancel();
          }
        } else {
          const entry = {
            dueMs: clock.nowMs() + action.start,
            cancelled: false,
            firedAtMs: [] as number[],
            cancel: () => {},
          };
          const deadline = deadlines.start(action.start, () => entry.firedAtMs.push(clock.nowMs()));
          entry.cancel = () => deadline.cancel();
          all.push(entry);
        }
      }
      clock.advance(1_000);
      for (const entry of all) {
        expect(entry.firedAtMs).toEqual(entry.cancelled ? [] : [entry.dueMs]);
      }
      expect([deadlines.pending, clock.pendingTimers]).toEqual([0, 0]);
    }),
    { numRuns: 500 },
  );
});
