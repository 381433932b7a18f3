import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { createGate, passTime, settled } from '../../../../test/support/pass-time.ts';
import type { Attempt, Fault } from '../fault.ts';
import type { ReliabilityEvent } from '../observer.ts';
import { DEFAULT_RELIABILITY } from '../settings.ts';
import { type DedupedCall, IdempotencyManager } from './idempotency-manager.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import { MemoryIdempotencyStore } from './memory-idempotency-store.ts';

const policy = DEFAULT_RELIABILITY.idempotency;
const refused: Fault = { code: 'tool_failed', message: 'refused', retryable: false };

function callOf(changes: Partial<DedupedCall> = {}): DedupedCall {
  return { toolId: 'mail.send', key: 'k', digest: 'd', isRepeatable: false, policy, ...changes };
}

function openManager(
  store?: IdempotencyStore,
  clock = new ManualClock(),
  redact?: (value: unknown) => unknown,
) {
  const events: ReliabilityEvent[] = [];
  const manager = new IdempotencyManager({
    store: store ?? new MemoryIdempotencyStore(clock),
    clock,
    newId: randomUUID,
    observe: (event) => events.push(event),
    ...(redact ? { redact } : {}),
  });
  return { manager, clock, events };
}

const ok =
  <T>(value: T) =>
  async (): Promise<Attempt<T>> => ({ ok: true, value });

const never = (): Promise<Attempt<never>> => {
  throw new Error('ran a second time');
};

test('a duplicate while the first runs waits and gets its result', async () => {
  const { manager, clock, events } = openManager();
  const gate = createGate<Attempt<{ sent: number }>>();
  const first = manager.run(callOf(), () => gate.promise);
  await settled();
  const second = manager.run(callOf(), never);

  await passTime(clock, 5_000);
  gate.open({ ok: true, value: { sent: 1 } });

  const attempt = { ok: true, value: { sent: 1 } };
  expect(await first).toEqual({ attempt, fromCache: false });
  expect(await second).toEqual({ attempt, fromCache: true });
  expect(events.map(({ type }) => type)).toEqual(['cache.hit']);
});

test('a duplicate in another process waits too', async () => {
  const clock = new ManualClock();
  const store = new MemoryIdempotencyStore(clock);
  const gate = createGate<Attempt<number>>();
  const first = openManager(store, clock).manager.run(callOf(), () => gate.promise);
  await settled();
  const second = openManager(store, clock).manager.run(callOf(), never);

  await passTime(clock, 5_000, 100);
  gate.open({ ok: true, value: 7 });
  await passTime(clock, 1_000);

  expect(await first).toEqual({ attempt: { ok: true, value: 7 }, fromCache: false });
  expect(await second).toEqual({ attempt: { ok: true, value: 7 }, fromCache: true });
});

test('a duplicate fails fast where that is configured', async () => {
  const { manager } = openManager();
  void manager.run(callOf(), () => new Promise(() => {}));
  await settled();

  const second = await manager.run(
    callOf({ policy: { ...policy, duplicates: 'fail_fast' } }),
    never,
  );

  expect(second).toEqual({
    attempt: {
      ok: false,
      fault: {
        code: 'conflict',
        message: 'the same call is still running',
        retryable: true,
        details: { reason: 'in_progress', state: 'PENDING', effect: 'none' },
      },
    },
    fromCache: false,
  });
});

test('waiting is bounded', async () => {
  const { manager, clock } = openManager();
  void manager.run(callOf(), () => new Promise(() => {}));
  await settled();
  const second = manager.run(callOf(), never);

  await passTime(clock, 30_000, 1_000);

  expect((await second).attempt).toMatchObject({
    ok: false,
    fault: { code: 'conflict', details: { reason: 'in_progress' } },
  });
});

test("the first caller's failure and cancel reach those who wait", async () => {
  for (const code of ['tool_failed', 'cancelled'] as const) {
    const { manager } = openManager();
    const gate = createGate<Attempt<number>>();
    const first = manager.run(callOf(), () => gate.promise);
    await settled();
    const second = manager.run(callOf(), never);
    await settled();

    gate.open({ ok: false, fault: { ...refused, code } });

    expect((await first).attempt).toMatchObject({ ok: false, fault: { code } });
    expect((await second).attempt).toMatchObject({ ok: false, fault: { code } });
  }
});

test('a waiter that is cancelled leaves the first call alone', async () => {
  const { manager } = openManager();
  const gate = createGate<Attempt<number>>();
  const first = manager.run(callOf(), () => gate.promise);
  await settled();
  const stop = new AbortController();
  const second = manager.run(callOf({ signal: stop.signal }), never);
  await settled();

  stop.abort();
  const waited = await second;
  gate.open({ ok: true, value: 1 });

  expect(waited.attempt).toMatchObject({ ok: false, fault: { code: 'cancelled' } });
  expect((await first).attempt).toEqual({ ok: true, value: 1 });
});

test('a result is replayed for a day and not after it', async () => {
  const { manager, clock } = openManager();
  await manager.run(callOf(), ok({ id: 1 }));

  clock.advance(policy.successTtlMs - 1);
  const replayed = await manager.run(callOf(), never);
  clock.advance(1);
  const anew = await manager.run(callOf(), ok({ id: 2 }));

  expect(replayed).toEqual({ attempt: { ok: true, value: { id: 1 } }, fromCache: true });
  expect(anew).toEqual({ attempt: { ok: true, value: { id: 2 } }, fromCache: false });
});

test('a failure is replayed for a minute, then the call may be made again', async () => {
  const { manager, clock } = openManager();
  await manager.run(callOf(), async () => ({ ok: false, fault: refused }));

  const replayed = await manager.run(callOf(), never);
  clock.advance(60_000);
  const anew = await manager.run(callOf(), ok(2));

  expect(replayed).toEqual({ attempt: { ok: false, fault: refused }, fromCache: true });
  expect(anew.attempt).toEqual({ ok: true, value: 2 });
});

test('the same key with another payload is a conflict, running or settled', async () => {
  const { manager, events } = openManager();
  const gate = createGate<Attempt<number>>();
  const first = manager.run(callOf(), () => gate.promise);
  await settled();

  const during = await manager.run(callOf({ digest: 'other' }), never);
  gate.open({ ok: true, value: 1 });
  await first;
  const after = await manager.run(callOf({ digest: 'other' }), never);

  expect(during.attempt).toMatchObject({
    ok: false,
    fault: { code: 'conflict', retryable: false },
  });
  expect(after.attempt).toMatchObject({ ok: false, fault: { code: 'conflict', retryable: false } });
  expect(events.filter(({ type }) => type === 'cache.conflict')).toHaveLength(2);
});

test('a lease is renewed for as long as the handler runs', async () => {
  const clock = new ManualClock();
  const store = new MemoryIdempotencyStore(clock);
  const gate = createGate<Attempt<number>>();
  const first = openManager(store, clock).manager.run(callOf(), () => gate.promise);

  await passTime(clock, 600_000, 5_000);
  const other = await openManager(store, clock).manager.run(
    callOf({ policy: { ...policy, duplicates: 'fail_fast' } }),
    never,
  );
  gate.open({ ok: true, value: 1 });

  expect(other.attempt).toMatchObject({ ok: false, fault: { code: 'conflict' } });
  expect((await first).attempt).toEqual({ ok: true, value: 1 });
  await passTime(clock, 1_000);
  expect(clock.pendingTimers).toBe(0);
});

test('a claim whose process died is an unknown outcome for a mutation and taken over for a read', async () => {
  const clock = new ManualClock();
  const store = new MemoryIdempotencyStore(clock);
  await store.claim({
    storedKey: 'idemp:mail.send:k',
    toolId: 'mail.send',
    key: 'k',
    digest: 'd',
    claimId: 'of the dead',
    leaseMs: 30_000,
    ttlMs: policy.successTtlMs,
    mayTakeOver: false,
  });
  clock.advance(30_000);

  const mutation = await openManager(store, clock).manager.run(callOf(), never);
  const read = await openManager(store, clock).manager.run(callOf({ isRepeatable: true }), ok(1));

  expect(mutation.attempt).toMatchObject({ ok: false, fault: { code: 'outcome_unknown' } });
  expect(read).toEqual({ attempt: { ok: true, value: 1 }, fromCache: false });
});

test('a mutation that timed out is never run again under its key, but an idempotent one is', async () => {
  const timeout: Fault = { code: 'timeout', message: 'too slow', retryable: false };
  const { manager, clock } = openManager();
  await manager.run(callOf(), async () => ({ ok: false, fault: timeout }));
  await manager.run(callOf({ key: 'i', isRepeatable: true }), async () => ({
    ok: false,
    fault: timeout,
  }));

  clock.advance(3_600_000);

  expect((await manager.run(callOf(), never)).attempt).toMatchObject({
    ok: false,
    fault: { code: 'outcome_unknown', details: { cause: 'timeout' } },
  });
  expect((await manager.run(callOf({ key: 'i', isRepeatable: true }), ok(1))).fromCache).toBe(
    false,
  );
});

test('an open circuit leaves no record', async () => {
  const open: Fault = { code: 'circuit_open', message: 'open', retryable: true };
  const { manager } = openManager();

  await manager.run(callOf(), async () => ({ ok: false, fault: open }));

  expect(await manager.list('mail.send', { limit: 10 })).toEqual([]);
});

test('results that cannot be kept are flagged, and a mutation is still made only once', async () => {
  const results: [unknown, string][] = [
    ['x'.repeat(policy.maxResultBytes), 'too_large'],
    [{ at: new Date(0) }, 'not_serialisable'],
    [{ n: 10n }, 'not_serialisable'],
    [new Map(), 'not_serialisable'],
    [Number.NaN, 'not_serialisable'],
  ];
  for (const [value, reason] of results) {
    const { manager, events } = openManager();

    const first = await manager.run(callOf(), ok(value));
    const second = await manager.run(callOf(), never);
    const read = callOf({ key: 'r', isRepeatable: true });
    await manager.run(read, ok(value));
    const readAgain = await manager.run(read, ok('anew'));

    expect(first).toEqual({ attempt: { ok: true, value }, fromCache: false });
    expect(second).toEqual({
      attempt: { ok: true, value: undefined },
      fromCache: true,
      isResultLost: true,
    });
    expect(readAgain.fromCache).toBe(false);
    expect(events[0]).toMatchObject({ type: 'cache.skipped', reason });
  }
});

test('a store that is gone is warned about once, and calls go on with duplicates seen in the process', async () => {
  let isGone = true;
  const clock = new ManualClock();
  const memory = new MemoryIdempotencyStore(clock);
  const flaky = new Proxy(memory, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
      return (...args: unknown[]) =>
        isGone ? Promise.reject(new Error('gone')) : method.apply(target, args);
    },
  });
  const { manager, events } = openManager(flaky, clock);

  const first = await manager.run(callOf(), ok(1));
  const second = await manager.run(callOf(), never);
  await manager.run(callOf({ key: 'other' }), ok(1));
  isGone = false;
  const third = await manager.run(callOf(), never);
  await manager.run(callOf({ key: 'fresh' }), ok(1));

  expect(first).toEqual({ attempt: { ok: true, value: 1 }, fromCache: false });
  expect(second).toEqual({ attempt: { ok: true, value: 1 }, fromCache: true });
  expect(third).toEqual({ attempt: { ok: true, value: 1 }, fromCache: true });
  expect(events.filter(({ type }) => type.startsWith('store.'))).toEqual([
    { type: 'store.failed', store: 'idempotency', operation: 'claim', message: 'gone' },
    { type: 'store.recovered', store: 'idempotency' },
  ]);
});

test('a store that loses the result after the effect does not lead to a second run', async () => {
  const clock = new ManualClock();
  const memory = new MemoryIdempotencyStore(clock);
  const forgetful: IdempotencyStore = Object.assign(Object.create(memory), {
    claim: memory.claim.bind(memory),
    renew: memory.renew.bind(memory),
    find: memory.find.bind(memory),
    settle: () => Promise.reject(new Error('gone')),
  });
  const { manager } = openManager(forgetful, clock);
  await manager.run(callOf(), ok('sent'));

  const here = await manager.run(callOf(), never);
  clock.advance(30_000);
  const elsewhere = await openManager(memory, clock).manager.run(callOf(), never);

  expect(here.attempt).toEqual({ ok: true, value: 'sent' });
  expect(elsewhere.attempt).toMatchObject({ ok: false, fault: { code: 'outcome_unknown' } });
});

test('what is stored is redacted first', async () => {
  const clock = new ManualClock();
  const store = new MemoryIdempotencyStore(clock);
  const redact = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll('hunter2', '[redacted]')) as unknown;
  const { manager } = openManager(store, clock, redact);

  await manager.run(callOf(), ok({ token: 'hunter2' }));
  await manager.run(callOf({ key: 'f' }), async () => ({
    ok: false,
    fault: { ...refused, message: 'bad token hunter2' },
  }));

  const records = await store.list('mail.send', { limit: 10 });
  expect(records.map(({ result, error }) => result ?? error?.message)).toEqual([
    'bad token [redacted]',
    '{"token":"[redacted]"}',
  ]);
});

test('flushing forgets a call', async () => {
  const { manager } = openManager();
  await manager.run(callOf(), ok(1));

  const flushed = await manager.flush('mail.send', 'k');

  expect(flushed).toBe(1);
  expect((await manager.run(callOf(), ok(2))).attempt).toEqual({ ok: true, value: 2 });
});

test('a malformed key is a fault, not a throw', async () => {
  const { manager } = openManager();

  const outcome = await manager.run(callOf({ key: '\ud800' }), never);

  expect(outcome.attempt).toMatchObject({ ok: false, fault: { code: 'invalid_input' } });
});
