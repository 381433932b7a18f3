import { describe, expect, test } from 'vitest';
import { type OpenStorage, openRig } from './harness.ts';

const TTL_MS = 60_000;
/** Longer than any store keeps a nonce whose token has expired. */
const LONG_MS = 60 * 60_000;
const TWINS = 64;

export function describeNonceStore(engine: string, open: OpenStorage): void {
  describe(`NonceStore on ${engine}`, () => {
    test('lets a nonce be used once', async () => {
      const { storage, clock } = await openRig(open);
      const nonce = { value: 'n-1', expiresAtMs: clock.nowMs() + TTL_MS };

      const uses = [await storage.nonces.use(nonce), await storage.nonces.use(nonce)];

      expect(uses).toEqual([true, false]);
      expect(await storage.nonces.use({ ...nonce, value: 'n-2' })).toBe(true);
    });

    test('remembers it over a reopen until its token has expired', async () => {
      const { storage, clock, reopen } = await openRig(open);
      const nonce = { value: 'n-1', expiresAtMs: clock.nowMs() + TTL_MS };
      await storage.nonces.use(nonce);

      const { nonces } = await reopen();

      clock.advance(TTL_MS - 1);
      expect(await nonces.use(nonce)).toBe(false);
      clock.advance(LONG_MS);
      const again = { value: 'n-1', expiresAtMs: clock.nowMs() + TTL_MS };
      expect([await nonces.use(again), await nonces.use(again)]).toEqual([true, false]);
    });

    test('outlasts a clock that judges tokens and is behind the store', async () => {
      const { storage, clock } = await openRig(open);
      const nonce = { value: 'n-1', expiresAtMs: clock.nowMs() + TTL_MS };
      await storage.nonces.use(nonce);

      clock.advance(TTL_MS + 30_000);

      expect(await storage.nonces.use(nonce)).toBe(false);
    });

    test('is not made longer by a use that was refused', async () => {
      const { storage, clock } = await openRig(open);
      await storage.nonces.use({ value: 'n-1', expiresAtMs: clock.nowMs() + TTL_MS });
      const later = { value: 'n-1', expiresAtMs: clock.nowMs() + 2 * LONG_MS };
      expect(await storage.nonces.use(later)).toBe(false);

      clock.advance(LONG_MS);

      expect(await storage.nonces.use(later)).toBe(true);
    });

    test('has one winner among many, whichever node they ask', async () => {
      const { storage, clock, openBeside } = await openRig(open);
      const beside = await openBeside();
      const nonce = { value: 'n-1', expiresAtMs: clock.nowMs() + TTL_MS };

      const uses = await Promise.all(
        Array.from({ length: TWINS }, (_, index) =>
          (index % 2 === 0 ? storage : beside).nonces.use(nonce),
        ),
      );

      expect(uses.filter(Boolean)).toEqual([true]);
    });

    test('has one winner among many that bring back one that has expired', async () => {
      const { storage, clock, openBeside } = await openRig(open);
      const beside = await openBeside();
      await storage.nonces.use({ value: 'n-1', expiresAtMs: clock.nowMs() + TTL_MS });
      clock.advance(LONG_MS);
      const nonce = { value: 'n-1', expiresAtMs: clock.nowMs() + TTL_MS };

      const uses = await Promise.all(
        Array.from({ length: TWINS }, (_, index) =>
          (index % 2 === 0 ? storage : beside).nonces.use(nonce),
        ),
      );

      expect(uses.filter(Boolean)).toEqual([true]);
    });

    test('survives the removal of many that have expired', async () => {
      const { storage, clock } = await openRig(open);
      const use = (name: string, expiresAtMs: number) =>
        Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            storage.nonces.use({ value: `${name}-${index}`, expiresAtMs }),
          ),
        );
      await use('old', clock.nowMs() + TTL_MS);
      clock.advance(LONG_MS);

      const first = await use('new', clock.nowMs() + TTL_MS);
      const second = await use('new', clock.nowMs() + TTL_MS);

      expect([...first, ...second]).toEqual([...Array(50).fill(true), ...Array(50).fill(false)]);
    });

    test.each([
      ['a NUL', 'n\u0000'],
      ['half of a pair', 'n\ud83d'],
      ['quotes and a backslash', `n'"\\`],
      ['many wide characters', '😀'.repeat(128)],
    ])('tells nonces with %s apart', async (_case, value) => {
      const { storage, clock } = await openRig(open);
      const expiresAtMs = clock.nowMs() + TTL_MS;

      const uses = [
        await storage.nonces.use({ value, expiresAtMs }),
        await storage.nonces.use({ value: `${value}x`, expiresAtMs }),
        await storage.nonces.use({ value, expiresAtMs }),
      ];

      expect(uses).toEqual([true, true, false]);
    });
  });
}
