import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CatchUp } from './job.ts';
import { type DuePlan, planDue } from './plan-due.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const GRACE_MS = MINUTE_MS;

const hourly = (nextSlot: number, catchUp: CatchUp = 'none') => ({
  schedule: '@every 1h',
  anchorMs: 0,
  nextSlotMs: nextSlot * HOUR_MS,
  catchUp,
});

const at = (nowMs: number) => ({ nowMs, graceMs: GRACE_MS });

test('waits for a slot that has not come', () => {
  expect(planDue(hourly(3), at(3 * HOUR_MS - 1))).toEqual({ action: 'wait' });
});

test('waits when nothing is ever due again', () => {
  const over = { ...hourly(3), nextSlotMs: undefined };

  expect(planDue(over, at(9 * HOUR_MS))).toEqual({ action: 'wait' });
});

test('fires a slot up to the end of its grace', () => {
  const plan: DuePlan = {
    action: 'fire',
    dueSlotMs: 3 * HOUR_MS,
    slotMs: 3 * HOUR_MS,
    missed: undefined,
    nextSlotMs: 4 * HOUR_MS,
  };

  expect(planDue(hourly(3), at(3 * HOUR_MS))).toEqual(plan);
  expect(planDue(hourly(3), at(3 * HOUR_MS + GRACE_MS))).toEqual(plan);
});

test('misses a slot beyond its grace and goes on with the next', () => {
  expect(planDue(hourly(3), at(3 * HOUR_MS + GRACE_MS + 1))).toEqual({
    action: 'skip',
    dueSlotMs: 3 * HOUR_MS,
    missed: { reason: 'late', firstSlotMs: 3 * HOUR_MS, lastSlotMs: 3 * HOUR_MS, count: 1 },
    nextSlotMs: 4 * HOUR_MS,
  });
});

test('after an outage the newest slot fires if it is in time, and the others are one missed stretch', () => {
  expect(planDue(hourly(3), at(50 * HOUR_MS + 5))).toEqual({
    action: 'fire',
    dueSlotMs: 3 * HOUR_MS,
    slotMs: 50 * HOUR_MS,
    missed: { reason: 'late', firstSlotMs: 3 * HOUR_MS, lastSlotMs: 49 * HOUR_MS, count: 47 },
    nextSlotMs: 51 * HOUR_MS,
  });
});

test('after an outage that ends between slots all are missed', () => {
  expect(planDue(hourly(3), at(50.5 * HOUR_MS))).toEqual({
    action: 'skip',
    dueSlotMs: 3 * HOUR_MS,
    missed: { reason: 'late', firstSlotMs: 3 * HOUR_MS, lastSlotMs: 50 * HOUR_MS, count: 48 },
    nextSlotMs: 51 * HOUR_MS,
  });
});

test('a job that catches up fires once for all it missed', () => {
  expect(planDue(hourly(3, 'once'), at(50.5 * HOUR_MS))).toEqual({
    action: 'fire',
    dueSlotMs: 3 * HOUR_MS,
    slotMs: 50 * HOUR_MS,
    missed: { reason: 'late', firstSlotMs: 3 * HOUR_MS, lastSlotMs: 49 * HOUR_MS, count: 47 },
    nextSlotMs: 51 * HOUR_MS,
  });
});

test('of several slots within the grace only the newest fires', () => {
  const secondly = { ...hourly(0), schedule: '@every 1s', nextSlotMs: 10_000 };

  expect(planDue(secondly, at(15_400))).toEqual({
    action: 'fire',
    dueSlotMs: 10_000,
    slotMs: 15_000,
    missed: { reason: 'late', firstSlotMs: 10_000, lastSlotMs: 14_000, count: 5 },
    nextSlotMs: 16_000,
  });
});

test('a one-shot fires in its grace, is missed behind it, and may catch up; then it is over', () => {
  const atMs = Date.UTC(2026, 1, 18, 9);
  const once = { ...hourly(0), schedule: '2026-02-18T09:00:00Z', nextSlotMs: atMs };
  const fired = { action: 'fire', dueSlotMs: atMs, slotMs: atMs, missed: undefined };
  const missed = { reason: 'late', firstSlotMs: atMs, lastSlotMs: atMs, count: 1 };

  expect([
    planDue(once, at(atMs + GRACE_MS)),
    planDue(once, at(atMs + GRACE_MS + 1)),
    planDue({ ...once, catchUp: 'once' }, at(atMs + 30 * HOUR_MS)),
  ]).toEqual([
    { ...fired, nextSlotMs: undefined },
    { action: 'skip', dueSlotMs: atMs, missed, nextSlotMs: undefined },
    { ...fired, nextSlotMs: undefined },
  ]);
});

test('however time passes, every slot is fired or missed exactly once and never early', () => {
  const steps = fc.array(fc.integer({ min: -200_000, max: 400_000 }), { maxLength: 60 });
  const everyS = fc.integer({ min: 1, max: 120 });

  fc.assert(
    fc.property(
      everyS,
      steps,
      fc.constantFrom<CatchUp>('none', 'once'),
      (every, moves, catchUp) => {
        const everyMs = every * 1000;
        const job = { schedule: `@every ${every}s`, anchorMs: 0, catchUp, nextSlotMs: everyMs };
        let nowMs = 0;
        let highestMs = 0;
        let accounted = 0;
        for (const move of moves) {
          nowMs = Math.max(0, nowMs + move);
          highestMs = Math.max(highestMs, nowMs);
          const plan = planDue(job, at(nowMs));
          if (plan.action === 'wait') continue;
          accounted += plan.missed?.count ?? 0;
          if (plan.action === 'fire') {
            expect(plan.slotMs).toBeLessThanOrEqual(nowMs);
            accounted += 1;
          }
          expect(plan.nextSlotMs).toBe((accounted + 1) * everyMs);
          job.nextSlotMs = plan.nextSlotMs ?? Number.NaN;
        }

        expect(accounted).toBe(Math.floor(highestMs / everyMs));
      },
    ),
  );
});
