import { expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { createStoreCheck } from './check-store.ts';
import { RuntimeError } from './errors.ts';
import { takeTurn } from './take-turn.ts';

function setUp() {
  const clock = new ManualClock();
  const store = { pings: 0, answer: async (): Promise<void> => {} };
  const ping = () => {
    store.pings += 1;
    return store.answer();
  };
  return { clock, store, check: createStoreCheck({ ping, clock }) };
}

test('many who ask at once, or soon after each other, cost the store one probe', async () => {
  const { clock, store, check } = setUp();

  await Promise.all(Array.from({ length: 100 }, check));
  clock.advance(999);
  await check();
  clock.advance(1);
  await check();

  expect(store.pings).toBe(2);
  expect(clock.pendingTimers).toBe(0);
});

test('a store that fails is told so, and that it works again', async () => {
  const { clock, store, check } = setUp();
  const full = new RuntimeError('storage_unavailable', 'the disk is full');
  store.answer = () => Promise.reject(full);

  await expect(check()).rejects.toBe(full);
  await expect(check()).rejects.toBe(full);
  store.answer = async () => {};
  clock.advance(1_000);

  await expect(check()).resolves.toBeUndefined();
  expect(store.pings).toBe(2);
});

test('a store that says nothing is unavailable after two seconds, then at once, and asked only once', async () => {
  const { clock, store, check } = setUp();
  let wakeUp = () => {};
  store.answer = () =>
    new Promise((resolve) => {
      wakeUp = resolve;
    });
  const silent = { code: 'storage_unavailable' };

  const first = expect(check()).rejects.toMatchObject(silent);
  clock.advance(2_000);
  await first;
  await expect(check()).rejects.toMatchObject(silent);
  wakeUp();
  await takeTurn();

  await expect(check()).resolves.toBeUndefined();
  expect(store.pings).toBe(1);
  expect(clock.pendingTimers).toBe(0);
});
