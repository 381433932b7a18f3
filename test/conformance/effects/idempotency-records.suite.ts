import { describe, expect, test } from 'vitest';
import { CLAIM_TTL_MS, newClaim, type OpenIdempotency, pendingRecord } from './idempotency-rig.ts';

const ODD_TOOL = 'a:b*[x]?\\ \0\u{1f980}';
const ODD_KEY = 'k:\0 %3A\u2028é';

/** Looking through records and dropping them. */
export function describeIdempotencyRecords(engine: string, open: OpenIdempotency): void {
  describe(`records of an IdempotencyStore on ${engine}`, () => {
    test('are kept under exactly their stored key, with both parts as they were given', async () => {
      const { store, clock } = await open();
      const claim = newClaim(ODD_KEY, { toolId: ODD_TOOL });

      await store.claim(claim);

      expect(claim.storedKey).toMatch(/^idemp:[\x21-\x7e]+:[\x21-\x7e]+$/);
      const record = pendingRecord(claim, clock.nowMs());
      expect(await store.find(claim.storedKey)).toEqual(record);
      expect(await store.list(ODD_TOOL, { limit: 5 })).toEqual([record]);
      expect(await store.flush(ODD_TOOL, ODD_KEY)).toBe(1);
    });

    test('are listed by tool in the order of stored keys, page by page', async () => {
      const { store } = await open();
      const keys = ['c', 'a', 'é', 'b:', 'B'];
      const claims = keys.map((key) => newClaim(key));
      for (const claim of claims) await store.claim(claim);
      // Tools whose names begin alike, or that a pattern would match.
      for (const toolId of ['mail', 'mail.send2', 'mail.send:x', '*']) {
        await store.claim(newClaim('a', { toolId }));
      }
      const listed: string[] = [];

      for (let page = await store.list('mail.send', { limit: 2 }); page.length > 0; ) {
        expect(page.length).toBeLessThanOrEqual(2);
        listed.push(...page.map(({ storedKey }) => storedKey));
        page = await store.list('mail.send', { limit: 2, after: listed.at(-1) ?? '' });
      }

      expect(listed).toEqual(claims.map(({ storedKey }) => storedKey).sort());
      expect(await store.list('*', { limit: 10 })).toHaveLength(1);
    });

    test('do not leave a hole in a page when some have expired', async () => {
      const { store, clock } = await open();
      for (const key of ['a', 'b', 'c', 'd']) {
        await store.claim(newClaim(key, { ttlMs: key < 'c' ? CLAIM_TTL_MS : CLAIM_TTL_MS * 2 }));
      }
      clock.advance(CLAIM_TTL_MS);

      const page = await store.list('mail.send', { limit: 2 });

      expect(page.map(({ key }) => key)).toEqual(['c', 'd']);
    });

    test('are flushed one by one or all of a tool, pending ones included', async () => {
      const { store } = await open();
      const claims = ['a', 'b', 'c'].map((key) => newClaim(key));
      for (const claim of claims) await store.claim(claim);
      const other = newClaim('a', { toolId: 'mail' });
      await store.claim(other);

      expect(await store.flush('mail.send', 'b')).toBe(1);
      expect(await store.flush('mail.send', 'b')).toBe(0);
      expect(await store.flush('mail.send')).toBe(2);
      expect(await store.flush('mail.send')).toBe(0);
      expect(await store.list('mail.send', { limit: 10 })).toEqual([]);
      expect((await store.find(other.storedKey))?.claimId).toBe(other.claimId);
    });

    test('that were flushed take no settlement, and neither does whoever came after', async () => {
      const { store, clock } = await open();
      const flushed = newClaim();
      await store.claim(flushed);
      await store.flush('mail.send');
      const done = { state: 'COMPLETED', result: '1', ttlMs: CLAIM_TTL_MS } as const;

      const alone = await store.settle(flushed.storedKey, flushed.claimId, done);
      const next = newClaim();
      await store.claim(next);
      const late = await store.settle(flushed.storedKey, flushed.claimId, done);

      expect([alone, late]).toEqual([false, false]);
      expect(await store.find(next.storedKey)).toEqual(pendingRecord(next, clock.nowMs()));
    });

    test('that have expired take no others with them when they are dropped', async () => {
      const { store, clock } = await open();
      for (let index = 0; index < 20; index += 1) await store.claim(newClaim(`old ${index}`));
      clock.advance(CLAIM_TTL_MS);

      for (let index = 0; index < 80; index += 1) await store.claim(newClaim(`new ${index}`));

      expect(await store.list('mail.send', { limit: 500 })).toHaveLength(80);
      expect(await store.flush('mail.send')).toBe(80);
    });
  });
}
