import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { RunId } from '../ids.ts';
import type { Event, NewsEvent } from './event.ts';
import type { EventLog, Wakeups } from './event-log.ts';
import { createFollowRun } from './follow-run.ts';

const RUN = 'run_1' as RunId;
const IDLE_MS = 1_000;
/** More than any test here needs; without a bound a circle would hang the test instead of failing it. */
const MAX_READS = 10_000;

/** A log in memory that counts how often it is read, and tells its readers of news. */
function setUp() {
  const clock = new ManualClock();
  const events: Event[] = [];
  const wakers = new Set<() => void>();
  const counts = { reads: 0 };
  let fault: Error | undefined;
  const log = {
    async read(_runId, { after, limit }) {
      counts.reads += 1;
      if (counts.reads > MAX_READS) throw new Error('somebody reads in a circle');
      if (fault) throw fault;
      return events.filter(({ seq }) => seq > after).slice(0, limit);
    },
  } as Pick<EventLog, 'read'> as EventLog;
  const wakeups = {
    subscribe: () => createSubscription(wakers),
  } as Pick<Wakeups, 'subscribe'> as Wakeups;
  const follow = createFollowRun({ log, wakeups, clock });
  return {
    clock,
    counts,
    subscriptions: wakers,
    breakWith: (error: Error) => {
      fault = error;
    },
    commit(type = 'model.delta') {
      events.push({ seq: events.length + 1, runId: RUN, type } as unknown as Event);
      for (const wake of wakers) wake();
    },
    read(
      options: { after?: number; deliver?: (page: readonly NewsEvent[]) => Promise<void> } = {},
    ) {
      const control = new AbortController();
      const got: number[] = [];
      const ended = follow({
        runId: RUN,
        after: options.after ?? 0,
        idleMs: IDLE_MS,
        signal: control.signal,
        deliver(page) {
          got.push(...page.map(({ seq }) => seq));
          return options.deliver?.(page);
        },
      });
      return { got, ended, leave: () => control.abort() };
    },
  };
}

function createSubscription(wakers: Set<() => void>) {
  let isWoken = false;
  let resolve: ((woken: boolean) => void) | undefined;
  const wake = () => {
    isWoken = resolve === undefined;
    resolve?.(true);
    resolve = undefined;
  };
  wakers.add(wake);
  return {
    async next({ signal }: { readonly signal?: AbortSignal }) {
      if (isWoken || signal?.aborted) {
        isWoken = false;
        return !signal?.aborted;
      }
      signal?.addEventListener('abort', wake, { once: true });
      return new Promise<boolean>((done) => {
        resolve = done;
      });
    },
    close: () => void wakers.delete(wake),
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a thousand readers at the end of a run are told of an event by one read of the log', async () => {
  const { read, commit, counts } = setUp();
  commit();
  const readers = Array.from({ length: 1_000 }, () => read());
  await settled();
  counts.reads = 0;

  commit();
  await settled();

  expect(counts.reads).toBe(1);
  expect(readers.every(({ got }) => got.join() === '1,2')).toBe(true);
  for (const { leave } of readers) leave();
});

test('a reader without room goes on by himself where he was, and misses nothing', async () => {
  const { read, commit } = setUp();
  let makeRoom = () => {};
  const deliver = () =>
    new Promise<void>((resolve) => {
      makeRoom = resolve;
    });
  const slow = read({ deliver });
  const quick = read();
  await settled();
  for (let no = 1; no <= 5; no += 1) {
    commit();
    await settled();
  }
  const held = [...slow.got];

  makeRoom();
  await settled();
  makeRoom();
  await settled();

  expect(held).toEqual([1]);
  expect(slow.got).toEqual([1, 2, 3, 4, 5]);
  expect(quick.got).toEqual([1, 2, 3, 4, 5]);
  slow.leave();
  quick.leave();
});

test('the end of the run ends every reader, and nothing is left behind', async () => {
  const { read, commit, subscriptions } = setUp();
  const readers = [read(), read()];
  await settled();

  commit();
  commit('run.completed');
  await Promise.all(readers.map(({ ended }) => ended));

  expect(readers.map(({ got }) => got)).toEqual([
    [1, 2],
    [1, 2],
  ]);
  expect(subscriptions.size).toBe(0);
});

test('a reader who hears nothing for long enough is done, counted anew after every event', async () => {
  const { read, commit, clock, subscriptions } = setUp();
  const reader = read();
  await settled();
  clock.advance(IDLE_MS - 100);
  commit();
  await settled();
  clock.advance(IDLE_MS - 100);
  commit();
  await settled();

  clock.advance(IDLE_MS);
  await reader.ended;
  await settled();

  expect(reader.got).toEqual([1, 2]);
  expect(subscriptions.size).toBe(0);
});

test('a cursor beyond the end waits for what comes after it', async () => {
  const { read, commit } = setUp();
  const ahead = read({ after: 2 });
  await settled();

  for (let no = 1; no <= 4; no += 1) commit();
  await settled();

  expect(ahead.got).toEqual([3, 4]);
  ahead.leave();
});

test('a reader at the end waits beside one that is ahead of it, and both get their events', async () => {
  const { read, commit, counts } = setUp();
  commit();
  const ahead = read({ after: 3 });
  await settled();
  counts.reads = 0;

  const atEnd = read({ after: 1 });
  await settled();
  const readsOfWaiting = counts.reads;
  for (let no = 2; no <= 5; no += 1) commit();
  await settled();

  expect(readsOfWaiting).toBeLessThan(10);
  expect([atEnd.got, ahead.got]).toEqual([
    [2, 3, 4, 5],
    [4, 5],
  ]);
  ahead.leave();
  atEnd.leave();
});

test('one who leaves is told no more, and the others are', async () => {
  const { read, commit } = setUp();
  const leaving = read();
  const staying = read();
  await settled();
  leaving.leave();
  await leaving.ended;

  commit();
  await settled();

  expect([leaving.got, staying.got]).toEqual([[], [1]]);
  staying.leave();
});

test('a log that can not be read fails all who follow it', async () => {
  const { read, commit, breakWith } = setUp();
  const readers = [read(), read()];
  await settled();
  const ended = Promise.allSettled(readers.map((reader) => reader.ended));

  breakWith(new Error('disk gone'));
  commit();

  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
