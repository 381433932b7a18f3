import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { MemoryId } from '../ids.ts';
import { silentLogger } from '../log.ts';
import { createAccessCounter } from './count-accesses.ts';
import type { MemoryAccess } from './memory-store.ts';

const FLUSH_MS = 5_000;
const id = (number: number) => `mem_${number}` as MemoryId;
const some = (count: number, from = 0) => Array.from({ length: count }, (_, at) => id(from + at));

function openCounter() {
  const stored: (readonly MemoryAccess[])[] = [];
  const state = { isFailing: false };
  const clock = new ManualClock(1_000);
  const counter = createAccessCounter({
    store: {
      async countAccesses(accesses) {
        if (state.isFailing) throw new Error('the store is away');
        stored.push(accesses);
      },
    },
    clock,
    logger: silentLogger,
  });
  return { counter, clock, stored, state };
}

test('what is given several times is stored once, later', async () => {
  const { counter, clock, stored } = openCounter();
  counter.count([id(1), id(2)]);
  clock.advance(10);
  counter.count([id(1)]);
  expect([counter.pendingOf(id(1)), counter.pendingOf(id(3))]).toEqual([2, 0]);

  clock.advance(FLUSH_MS);
  await counter.close();

  expect(stored).toEqual([
    [
      { id: id(1), count: 2, atMs: 1_010 },
      { id: id(2), count: 1, atMs: 1_000 },
    ],
  ]);
  expect(counter.pendingOf(id(1))).toBe(0);
  expect(clock.pendingTimers).toBe(0);
});

test('many are stored at once, and the rest when it closes', async () => {
  const { counter, clock, stored } = openCounter();
  counter.count(some(1_200));
  await counter.close();
  expect(stored.map(({ length }) => length)).toEqual([500, 500, 200]);
  expect(clock.pendingTimers).toBe(0);
});

test('a store that is away costs no counts at first, and bounded memory', async () => {
  const { counter, clock, stored, state } = openCounter();
  state.isFailing = true;
  counter.count([id(1)]);
  clock.advance(FLUSH_MS);
  await expect.poll(() => clock.pendingTimers).toBe(1);
  expect(counter.pendingOf(id(1))).toBe(1);
  counter.count(some(6_000, 10));
  expect(counter.pendingOf(id(6_009))).toBe(0);

  state.isFailing = false;
  await counter.close();

  expect(stored.flat()).toHaveLength(5_000);
  expect(clock.pendingTimers).toBe(0);
});

test('closing ends although the store is away', async () => {
  const { counter, clock, state } = openCounter();
  state.isFailing = true;
  counter.count(some(1_000));
  await counter.close();
  expect(clock.pendingTimers).toBe(0);
});
