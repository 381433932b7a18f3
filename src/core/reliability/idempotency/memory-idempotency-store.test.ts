import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { toStoredKey } from './idempotency-key.ts';
import type { Claim } from './idempotency-store.ts';
import { MemoryIdempotencyStore } from './memory-idempotency-store.ts';

const HOUR = 3_600_000;

function claimOf(key: string, changes: Partial<Claim> = {}): Claim {
  return {
    storedKey: toStoredKey('mail.send', key),
    toolId: 'mail.send',
    key,
    digest: 'd1',
    claimId: `claim of ${key}`,
    leaseMs: 1_000,
    ttlMs: HOUR,
    mayTakeOver: false,
    ...changes,
  };
}

async function complete(store: MemoryIdempotencyStore, key: string, result = '{}'): Promise<void> {
  const claim = claimOf(key);
  await store.claim(claim);
  await store.settle(claim.storedKey, claim.claimId, { state: 'COMPLETED', result, ttlMs: HOUR });
}

test('a key is claimed once; others are told what is there', async () => {
  const clock = new ManualClock();
  const store = new MemoryIdempotencyStore(clock);
  const claim = claimOf('a');

  const outcomes = [
    (await store.claim(claim)).outcome,
    (await store.claim({ ...claim, claimId: 'other' })).outcome,
    (await store.claim({ ...claim, digest: 'd2' })).outcome,
  ];
  clock.advance(1_000);
  outcomes.push((await store.claim({ ...claim, claimId: 'other' })).outcome);
  outcomes.push((await store.claim({ ...claim, claimId: 'other', mayTakeOver: true })).outcome);

  expect(outcomes).toEqual(['claimed', 'running', 'conflict', 'abandoned', 'claimed']);
});

test('only the owner of a pending claim renews, settles or releases it', async () => {
  const store = new MemoryIdempotencyStore(new ManualClock());
  const claim = claimOf('a');
  await store.claim(claim);
  const done = { state: 'COMPLETED', result: '1', ttlMs: HOUR } as const;

  const answers = [
    await store.renew(claim.storedKey, 'other', 1_000),
    await store.settle(claim.storedKey, 'other', done),
    await store.release(claim.storedKey, 'other'),
    await store.renew(claim.storedKey, claim.claimId, 1_000),
    await store.settle(claim.storedKey, claim.claimId, done),
    await store.settle(claim.storedKey, claim.claimId, done),
    await store.release(claim.storedKey, claim.claimId),
  ];

  expect(answers).toEqual([false, false, false, true, true, false, false]);
});

test('an old claim does not pass for a new one after a flush', async () => {
  const store = new MemoryIdempotencyStore(new ManualClock());
  const old = claimOf('a');
  await store.claim(old);
  await store.flush('mail.send', 'a');
  await store.claim({ ...old, claimId: 'new' });

  const settled = await store.settle(old.storedKey, old.claimId, {
    state: 'COMPLETED',
    result: '1',
    ttlMs: HOUR,
  });

  expect(settled).toBe(false);
  expect((await store.find(old.storedKey))?.state).toBe('PENDING');
});

test('records are forgotten when their time is over', async () => {
  const clock = new ManualClock();
  const store = new MemoryIdempotencyStore(clock);
  await complete(store, 'a');

  clock.advance(HOUR - 1);
  const before = (await store.claim(claimOf('a'))).outcome;
  clock.advance(1);

  expect(before).toBe('settled');
  expect((await store.claim(claimOf('a'))).outcome).toBe('claimed');
});

test('records that nobody asks for are swept', async () => {
  const clock = new ManualClock();
  const store = new MemoryIdempotencyStore(clock);
  for (let index = 0; index < 100; index += 1) await complete(store, `k${index}`, '"text"');

  clock.advance(HOUR);
  await store.claim(claimOf('another'));

  expect([store.size, store.chars]).toEqual([1, 0]);
});

test('the least recently used record makes room', async () => {
  const store = new MemoryIdempotencyStore(new ManualClock(), { maxRecords: 3 });
  for (const key of ['a', 'b', 'c']) await complete(store, key);

  await store.claim(claimOf('a'));
  await complete(store, 'd');

  const kept = await store.list('mail.send', { limit: 10 });
  expect(kept.map(({ key }) => key)).toEqual(['a', 'c', 'd']);
});

test('a pending record never makes room; too many of them are refused', async () => {
  const store = new MemoryIdempotencyStore(new ManualClock(), { maxRecords: 2 });
  await store.claim(claimOf('a'));
  await store.claim(claimOf('b'));

  const refused = store.claim(claimOf('c'));

  await expect(refused).rejects.toMatchObject({ code: 'queue_full' });
  expect((await store.claim({ ...claimOf('a'), claimId: 'x' })).outcome).toBe('running');
});

test('records are listed in pages and flushed by tool', async () => {
  const store = new MemoryIdempotencyStore(new ManualClock());
  for (const key of ['a', 'b', 'c']) await complete(store, key);
  await store.claim({
    ...claimOf('a'),
    toolId: 'mail.read',
    storedKey: toStoredKey('mail.read', 'a'),
  });

  const first = await store.list('mail.send', { limit: 2 });
  const rest = await store.list('mail.send', { limit: 2, after: first[1]?.storedKey ?? '' });
  const flushed = [await store.flush('mail.send', 'b'), await store.flush('mail.send')];

  expect([...first, ...rest].map(({ key }) => key)).toEqual(['a', 'b', 'c']);
  expect(flushed).toEqual([1, 2]);
  expect(store.size).toBe(1);
});

test('neither number nor size of records ever exceeds its bound', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(50), fc.nat(400), fc.boolean()), { maxLength: 120 }),
      async (writes) => {
        const limits = { maxRecords: 8, maxChars: 1_000 };
        const store = new MemoryIdempotencyStore(new ManualClock(), limits);
        for (const [key, length, isSettled] of writes) {
          const claim = claimOf(`k${key}`);
          const claimed = await store.claim(claim).catch(() => undefined);
          if (claimed?.outcome === 'claimed' && isSettled) {
            const result = JSON.stringify('x'.repeat(length));
            await store.settle(claim.storedKey, claim.claimId, {
              state: 'COMPLETED',
              result,
              ttlMs: HOUR,
            });
          }
          expect(store.size).toBeLessThanOrEqual(limits.maxRecords);
          expect(store.chars).toBeLessThanOrEqual(limits.maxChars);
        }
      },
    ),
    { numRuns: 300 },
  );
});
