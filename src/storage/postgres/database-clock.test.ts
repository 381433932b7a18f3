import { expect, test } from 'vitest';
import { createDatabaseClock } from './database-clock.ts';

function createRig() {
  let elapsedMs = 0;
  let wallMs = 1e12;
  const clock = createDatabaseClock({ elapsedMs: () => elapsedMs, wallMs: () => wallMs });
  const sleep = (ms: number) => {
    wallMs += ms;
  };
  const pass = (ms: number) => {
    elapsedMs += ms;
    sleep(ms);
  };
  return { clock, pass, sleep };
}

test('goes on from what the database said', () => {
  const { clock, pass } = createRig();
  clock.learn(1_000);

  pass(250.7);

  expect(clock.nowMs()).toBe(1_250);
});

test('follows the database when its clock is put back', () => {
  const { clock, pass } = createRig();
  clock.learn(1_000_000);
  pass(10);

  clock.learn(500);

  expect(clock.nowMs()).toBe(500);
});

test('does not know the time before it was told, nor long after', () => {
  const { clock, pass } = createRig();
  const before = clock.nowMs();
  clock.learn(1_000);

  pass(10_001);

  expect([before, clock.nowMs()]).toEqual([undefined, undefined]);
});

test('does not know the time after the machine has slept, until it is told again', () => {
  const { clock, pass, sleep } = createRig();
  clock.learn(1_000);
  pass(100);

  sleep(60_000);

  const woken = clock.nowMs();
  clock.learn(61_100);
  expect([woken, clock.nowMs()]).toEqual([undefined, 61_100]);
});
