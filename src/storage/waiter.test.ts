import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Waiter } from './waiter.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a wake-up while nobody waits is remembered, once', async () => {
  const waiter = new Waiter(Date.now);
  waiter.wake();
  waiter.wake();

  const first = await waiter.next({ deadlineMs: Date.now() + 1_000 });
  const second = waiter.next({ deadlineMs: Date.now() + 1_000 });
  await vi.advanceTimersByTimeAsync(1_000);

  expect([first, await second]).toEqual([true, false]);
});

test('each wait has its own end, whatever the one before it left behind', async () => {
  const waiter = new Waiter(Date.now);
  const ends: [ms: number, woken: boolean][] = [];
  const startedAt = Date.now();
  const wait = async (ms: number) => {
    const woken = await waiter.next({ deadlineMs: Date.now() + ms });
    ends.push([Date.now() - startedAt, woken]);
  };

  const long = wait(4_000);
  await vi.advanceTimersByTimeAsync(100);
  waiter.wake();
  await long;
  const short = wait(300);
  await vi.advanceTimersByTimeAsync(300);
  await short;
  const longer = wait(4_500);
  await vi.advanceTimersByTimeAsync(4_500);
  await longer;

  expect(ends).toEqual([
    [100, true],
    [400, false],
    [4_900, false],
  ]);
});

test('a wait without news looks again after a while, and ends at its deadline', async () => {
  const waiter = new Waiter(Date.now);
  const deadlineMs = Date.now() + 8_000;

  const poll = waiter.next({ deadlineMs });
  await vi.advanceTimersByTimeAsync(5_000);
  const end = waiter.next({ deadlineMs });
  await vi.advanceTimersByTimeAsync(3_000);

  expect([await poll, await end]).toEqual([true, false]);
});

test('a wait ends when its signal aborts or the waiter is closed, and leaves nothing behind', async () => {
  const waiter = new Waiter(Date.now);
  const [first, second] = [new AbortController(), new AbortController()];

  const replaced = waiter.next({ signal: first.signal });
  const aborted = waiter.next({ signal: second.signal });
  first.abort();
  second.abort();
  const closed = waiter.next({});
  waiter.close();

  expect([await replaced, await aborted, await closed]).toEqual([true, false, false]);
  expect(await waiter.next({})).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ['it was woken already', (waiter: Waiter) => waiter.wake(), {}],
  ['its time is over', () => {}, { deadlineMs: 1 }],
  ['its signal has aborted', () => {}, { signal: AbortSignal.abort() }],
  ['it is closed', (waiter: Waiter) => waiter.close(), {}],
])('a wait takes a turn of the event loop, also when %s', async (_reason, prepare, options) => {
  const waiter = new Waiter(Date.now);
  prepare(waiter);
  let hasTurned = false;
  setImmediate(() => {
    hasTurned = true;
  });

  await waiter.next(options);

  expect(hasTurned).toBe(true);
});
