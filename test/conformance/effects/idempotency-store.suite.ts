import { describe, expect, test } from 'vitest';
import type { Settlement } from '../../../src/core/reliability/idempotency/idempotency-store.ts';
import { describeIdempotencyRecords } from './idempotency-records.suite.ts';
import {
  CLAIM_LEASE_MS,
  CLAIM_TTL_MS,
  newClaim,
  type OpenIdempotency,
  pendingRecord,
} from './idempotency-rig.ts';

const DONE: Settlement = { state: 'COMPLETED', result: '{"ok":true}', ttlMs: 86_400_000 };
const FAILED: Settlement = {
  state: 'FAILED',
  error: {
    code: 'tool_failed',
    message: 'no\0 \u{1f980} "x"',
    retryable: false,
    details: { status: 422 },
  },
  ttlMs: 60_000,
};

export function describeIdempotencyStore(engine: string, open: OpenIdempotency): void {
  describeIdempotencyRecords(engine, open);

  describe(`IdempotencyStore on ${engine}`, () => {
    test('gives a free key to whoever claims it first', async () => {
      const { store, clock } = await open();
      const claim = newClaim();

      const result = await store.claim(claim);
      const second = await store.claim(newClaim());

      const record = pendingRecord(claim, clock.nowMs());
      expect(result).toEqual({ outcome: 'claimed' });
      expect(second).toEqual({ outcome: 'running', record });
      expect(await store.find(claim.storedKey)).toEqual(record);
    });

    test('gives one key to one of many who claim it at the same moment', async () => {
      const { store, openBeside } = await open();
      const beside = await openBeside();

      const results = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          (index % 2 === 0 ? store : beside).claim(newClaim(`k${index % 4}`)),
        ),
      );

      expect(results.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(4);
      expect(results.filter(({ outcome }) => outcome === 'running')).toHaveLength(36);
    });

    test('answers a claim that was made already: its first answer may have got lost', async () => {
      const { store, clock } = await open();
      const claim = newClaim();
      await store.claim(claim);

      const again = await store.claim(claim);
      clock.advance(CLAIM_LEASE_MS);
      const beyondItsLease = await store.claim(claim);
      const otherPayload = await store.claim({ ...claim, digest: 'other' });
      await store.settle(claim.storedKey, claim.claimId, DONE);
      const afterItsEnd = await store.claim(claim);

      expect(again).toEqual({ outcome: 'claimed' });
      expect(beyondItsLease).toEqual({ outcome: 'claimed' });
      const { claimId } = claim;
      expect(otherPayload).toMatchObject({ outcome: 'conflict', record: { claimId, version: 2 } });
      expect(afterItsEnd).toMatchObject({ outcome: 'settled', record: { version: 3 } });
    });

    test('gives a claim that is made again a lease, also when the first has run out', async () => {
      const { store, clock } = await open();
      const claim = newClaim();
      await store.claim(claim);
      clock.advance(CLAIM_LEASE_MS + 1);

      const again = await store.claim(claim);
      const other = await store.claim({ ...newClaim(), mayTakeOver: true });

      expect(again).toEqual({ outcome: 'claimed' });
      expect(other).toMatchObject({ outcome: 'running' });
    });

    test('never takes another payload for the same, in any state', async () => {
      const { store, clock } = await open();
      const claim = newClaim();
      await store.claim(claim);
      const other = () => store.claim(newClaim('k', { digest: 'other', mayTakeOver: true }));

      const whileRunning = await other();
      clock.advance(CLAIM_LEASE_MS);
      const whileAbandoned = await other();
      await store.settle(claim.storedKey, claim.claimId, DONE);
      const whileSettled = await other();

      const outcomes = [whileRunning, whileAbandoned, whileSettled].map(({ outcome }) => outcome);
      expect(outcomes).toEqual(['conflict', 'conflict', 'conflict']);
    });

    test.each([
      ['COMPLETED', DONE, { state: 'COMPLETED', result: '{"ok":true}' }],
      [
        'COMPLETED without its result',
        { state: 'COMPLETED', notKept: 'too_large', ttlMs: 60_000 },
        { state: 'COMPLETED', notKept: 'too_large' },
      ],
      ['FAILED', FAILED, { state: 'FAILED', error: 'error' in FAILED && FAILED.error }],
      [
        'COMPLETED with nothing',
        { state: 'COMPLETED', result: '', ttlMs: 60_000 },
        { state: 'COMPLETED', result: '' },
      ],
    ] as const)('replays a record that is %s', async (_, settlement, expected) => {
      const { store, clock } = await open();
      const claim = newClaim();
      await store.claim(claim);
      const claimedAtMs = clock.nowMs();
      clock.advance(5);

      const settled = await store.settle(claim.storedKey, claim.claimId, settlement);

      const record = {
        ...pendingRecord(claim, claimedAtMs),
        ...expected,
        version: 2,
        updatedAtMs: clock.nowMs(),
        expiresAtMs: clock.nowMs() + settlement.ttlMs,
      };
      expect(settled).toBe(true);
      expect(await store.claim(newClaim('k', { mayTakeOver: true }))).toEqual({
        outcome: 'settled',
        record,
      });
    });

    test('lets only the owner of a pending claim settle, renew or release it', async () => {
      const { store } = await open();
      const claim = newClaim();
      const { storedKey, claimId } = claim;
      await store.claim(claim);

      expect(await store.settle(storedKey, 'claim_other', DONE)).toBe(false);
      expect(await store.renew(storedKey, 'claim_other', 1)).toBe(false);
      expect(await store.release(storedKey, 'claim_other')).toBe(false);
      expect(await store.settle(storedKey, claimId, DONE)).toBe(true);
      expect(await store.settle(storedKey, claimId, FAILED)).toBe(false);
      expect(await store.renew(storedKey, claimId, 1)).toBe(false);
      expect(await store.release(storedKey, claimId)).toBe(false);
      expect(await store.find(storedKey)).toMatchObject({ state: 'COMPLETED', version: 2 });
      expect(await store.settle('idemp:mail.send:none', claimId, DONE)).toBe(false);
    });

    test('lets one of many settlements win', async () => {
      const { store, openBeside } = await open();
      const beside = await openBeside();
      const claim = newClaim();
      await store.claim(claim);

      const settled = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 === 0 ? store : beside).settle(claim.storedKey, claim.claimId, {
            ...DONE,
            state: 'COMPLETED',
            result: `${index}`,
          }),
        ),
      );

      expect(settled.filter(Boolean)).toHaveLength(1);
      expect(await store.find(claim.storedKey)).toMatchObject({
        version: 2,
        result: `${settled.indexOf(true)}`,
      });
    });

    test('keeps a claim alive as long as it is renewed', async () => {
      const { store, clock } = await open();
      const claim = newClaim();
      await store.claim(claim);
      const claimedAtMs = clock.nowMs();
      clock.advance(CLAIM_LEASE_MS - 1);

      const renewed = await store.renew(claim.storedKey, claim.claimId, CLAIM_LEASE_MS);
      clock.advance(CLAIM_LEASE_MS - 1);

      const record = {
        ...pendingRecord(claim, claimedAtMs),
        version: 2,
        updatedAtMs: claimedAtMs + CLAIM_LEASE_MS - 1,
        leaseUntilMs: clock.nowMs() + 1,
      };
      expect(renewed).toBe(true);
      expect(await store.claim(newClaim('k', { mayTakeOver: true }))).toEqual({
        outcome: 'running',
        record,
      });
    });

    test('calls a claim abandoned when its lease is over, and keeps it', async () => {
      const { store, clock } = await open();
      const claim = newClaim();
      await store.claim(claim);
      const record = pendingRecord(claim, clock.nowMs());
      clock.advance(CLAIM_LEASE_MS);

      const result = await store.claim(newClaim());

      expect(result).toEqual({ outcome: 'abandoned', record });
      // Slow, not dead: nobody has taken it, so it is still its owner's to settle.
      expect(await store.settle(claim.storedKey, claim.claimId, DONE)).toBe(true);
    });

    test('lets one of many take an abandoned claim over, and fences its owner off', async () => {
      const { store, openBeside, clock } = await open();
      const beside = await openBeside();
      const claim = newClaim();
      await store.claim(claim);
      const createdAtMs = clock.nowMs();
      clock.advance(CLAIM_LEASE_MS);
      const takers = Array.from({ length: 12 }, () => newClaim('k', { mayTakeOver: true }));

      const results = await Promise.all(
        takers.map((taker, index) => (index % 2 === 0 ? store : beside).claim(taker)),
      );

      const outcomes = results.map(({ outcome }) => outcome);
      expect(outcomes.toSorted()).toEqual(['claimed', ...Array(11).fill('running')]);
      const winner = takers[outcomes.indexOf('claimed')] ?? claim;
      expect(await store.find(claim.storedKey)).toEqual({
        ...pendingRecord(winner, clock.nowMs()),
        version: 2,
        createdAtMs,
      });
      expect(await store.settle(claim.storedKey, claim.claimId, DONE)).toBe(false);
      expect(await store.renew(claim.storedKey, claim.claimId, 1)).toBe(false);
      expect(await store.release(claim.storedKey, claim.claimId)).toBe(false);
      expect(await store.settle(claim.storedKey, winner.claimId, DONE)).toBe(true);
    });

    test('forgets a claim that is released, as if it had never been made', async () => {
      const { store, clock } = await open();
      const claim = newClaim();
      await store.claim(claim);

      const released = await store.release(claim.storedKey, claim.claimId);

      const next = newClaim('k', { digest: 'other' });
      expect(released).toBe(true);
      expect(await store.find(claim.storedKey)).toBeUndefined();
      expect(await store.claim(next)).toEqual({ outcome: 'claimed' });
      expect(await store.find(claim.storedKey)).toEqual(pendingRecord(next, clock.nowMs()));
    });

    test('forgets a record when its time is over, and starts afresh', async () => {
      const { store, clock } = await open();
      const claim = newClaim();
      await store.claim(claim);
      await store.settle(claim.storedKey, claim.claimId, { ...DONE, ttlMs: CLAIM_TTL_MS });
      clock.advance(CLAIM_TTL_MS - 1);
      const before = await store.find(claim.storedKey);
      clock.advance(1);

      const next = newClaim('k', { digest: 'other' });
      expect(before?.state).toBe('COMPLETED');
      expect(await store.find(claim.storedKey)).toBeUndefined();
      expect(await store.list('mail.send', { limit: 10 })).toEqual([]);
      expect(await store.claim(next)).toEqual({ outcome: 'claimed' });
      expect(await store.find(claim.storedKey)).toEqual(pendingRecord(next, clock.nowMs()));
    });
  });
}
