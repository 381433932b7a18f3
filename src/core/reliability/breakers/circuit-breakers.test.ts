import { expect, test } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { passTime, settled } from '../../../../test/support/pass-time.ts';
import type { ReliabilityEvent } from '../observer.ts';
import { DEFAULT_RELIABILITY } from '../settings.ts';
import type { BreakerStore } from './breaker-store.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { CircuitBreakers } from './circuit-breakers.ts';
import { MemoryBreakerStore } from './memory-breaker-store.ts';

async function fail(breaker: CircuitBreaker, count = 5): Promise<void> {
  for (let call = 0; call < count; call += 1) {
    breaker.settle(await breaker.admit(), 'failure');
  }
  await settled();
}

function openProcess(clock: ManualClock, store: BreakerStore) {
  const events: ReliabilityEvent[] = [];
  const breakers = new CircuitBreakers({ clock, store, observe: (event) => events.push(event) });
  return { breakers, breaker: breakers.of('mail.send'), events };
}

test('a circuit without a store answers at once and reports its transitions', () => {
  const clock = new ManualClock();
  const events: ReliabilityEvent[] = [];
  const breakers = new CircuitBreakers({ clock, observe: (event) => events.push(event) });
  const breaker = breakers.of('mail.send');

  for (let call = 0; call < 5; call += 1) {
    const admission = breaker.admit();
    if (admission instanceof Promise) throw new Error('asked somebody');
    breaker.settle(admission, 'failure');
  }
  clock.advance(30_000);
  const trial = breaker.admit();
  if (trial instanceof Promise) throw new Error('asked somebody');
  breaker.settle(trial, 'success');

  const changed = { type: 'circuit.changed', toolId: 'mail.send' };
  expect(events).toEqual([
    { type: 'circuit.created', toolId: 'mail.send', status: 'closed' },
    { ...changed, from: 'closed', to: 'open' },
    { ...changed, from: 'open', to: 'half_open' },
    { ...changed, from: 'half_open', to: 'closed' },
  ]);
  expect(clock.pendingTimers).toBe(0);
});

test('an operator opens and resets a circuit', async () => {
  const clock = new ManualClock();
  const breakers = new CircuitBreakers({ clock });
  const breaker = breakers.of('mail.send');

  await breaker.forceOpen();
  const forced = breakers.list();
  clock.advance(10 ** 9);
  const stillForced = await breaker.admit();
  await breaker.reset();

  expect(forced).toEqual([
    { toolId: 'mail.send', status: 'forced_open', failures: 0, measured: 0, failed: 0 },
  ]);
  expect(stillForced.admitted).toBe(false);
  expect(breaker.status()).toEqual({ status: 'closed', failures: 0, measured: 0, failed: 0 });
});

test('a circuit that one process opened is open for a new one', async () => {
  const clock = new ManualClock();
  const store = new MemoryBreakerStore();
  await fail(openProcess(clock, store).breaker);

  const restarted = openProcess(clock, store);

  expect(await restarted.breaker.admit()).toEqual({
    admitted: false,
    status: 'open',
    retryInMs: 30_000,
  });
});

test('processes agree on one trial, and its success closes the circuit for all', async () => {
  const clock = new ManualClock();
  const store = new MemoryBreakerStore();
  const [one, two] = [openProcess(clock, store), openProcess(clock, store)];
  await fail(one.breaker);
  await two.breaker.admit();
  await passTime(clock, 30_000);

  const admissions = await Promise.all([one, two, one, two].map(({ breaker }) => breaker.admit()));
  const trial = admissions.filter(({ admitted }) => admitted);
  const winner = admissions.indexOf(trial[0] as (typeof admissions)[0]) % 2 === 0 ? one : two;
  winner.breaker.settle(trial[0] as (typeof admissions)[0], 'success');
  await passTime(clock, 1_000);
  await Promise.all([one.breaker.admit(), two.breaker.admit()]);
  await settled();

  expect(trial).toHaveLength(1);
  expect([one.breaker.status().status, two.breaker.status().status]).toEqual(['closed', 'closed']);
});

test("an operator's reset in one process reaches the others within the refresh time", async () => {
  const clock = new ManualClock();
  const store = new MemoryBreakerStore();
  const [one, two] = [openProcess(clock, store), openProcess(clock, store)];
  await one.breaker.forceOpen();
  const before = await two.breaker.admit();

  await one.breaker.reset();
  await passTime(clock, 1_000);
  await two.breaker.admit();
  await settled();

  expect(before.admitted).toBe(false);
  expect((await two.breaker.admit()).admitted).toBe(true);
});

test('a store that is gone leaves each process to its own circuit, with one warning', async () => {
  const clock = new ManualClock();
  const gone: BreakerStore = {
    find: () => Promise.reject(new Error('connection refused')),
    replace: () => Promise.reject(new Error('connection refused')),
    list: () => Promise.reject(new Error('connection refused')),
  };
  const { breaker, events } = openProcess(clock, gone);

  await fail(breaker);
  const refused = await breaker.admit();
  await passTime(clock, 30_000);
  const trial = await breaker.admit();
  breaker.settle(trial, 'success');
  await settled();

  expect(refused.admitted).toBe(false);
  expect(trial).toMatchObject({ admitted: true, trialId: 1 });
  expect(breaker.status().status).toBe('closed');
  expect(events.filter(({ type }) => type === 'store.failed')).toEqual([
    { type: 'store.failed', store: 'breaker', operation: 'find', message: 'connection refused' },
  ]);
});

test('a store that hangs is waited for only so long', async () => {
  const clock = new ManualClock();
  const hung: BreakerStore = {
    find: () => new Promise(() => {}),
    replace: () => new Promise(() => {}),
    list: () => new Promise(() => {}),
  };
  const { breaker } = openProcess(clock, hung);

  const asked = Promise.resolve(breaker.admit());
  await passTime(clock, 250);

  expect(await asked).toEqual({ admitted: true, epoch: 0 });
});

test('changed settings hold for the next call', async () => {
  const breakers = new CircuitBreakers({ clock: new ManualClock() });
  const strict = { ...DEFAULT_RELIABILITY.breaker, failureThreshold: 1, windowSize: 7 };
  breakers.of('mail.send').settle(await breakers.of('mail.send').admit(), 'success');

  const breaker = breakers.of('mail.send', strict);
  breaker.settle(await breaker.admit(), 'failure');

  expect(breaker.status().status).toBe('open');
});
