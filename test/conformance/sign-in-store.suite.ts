import { describe, expect, test } from 'vitest';
import { createIds } from '../../src/core/create-ids.ts';
import type { NewSignIn } from '../../src/core/sign-ins/sign-in.ts';
import { MAX_SIGN_INS } from '../../src/core/sign-ins/stored-sign-ins.ts';
import { type OpenStorage, openRig } from './harness.ts';

const HOUR_MS = 3_600_000;
const LIFETIME = { idleMs: 3 * HOUR_MS, maxMs: 5 * HOUR_MS };
const ids = createIds(() => Date.now());

const newSignIn = (overrides: Partial<NewSignIn> = {}): NewSignIn => ({
  id: ids.signIn(),
  secretDigest: 'd'.repeat(64),
  tokenTag: 'tag-one',
  userAgent: 'a browser \0 \u{1f980}',
  address: '127.0.0.1',
  ...LIFETIME,
  ...overrides,
});

export function describeSignInStore(engine: string, open: OpenStorage): void {
  describe(`SignInStore on ${engine}`, () => {
    test('keeps a sign-in over a reopen, to the last word', async () => {
      const { storage, clock, reopen } = await openRig(open);
      const { idleMs, maxMs: _, ...given } = newSignIn();

      const added = await storage.signIns.add({ ...given, ...LIFETIME });

      const { signIns } = await reopen();
      const nowMs = clock.nowMs();
      const expected = {
        ...given,
        createdAtMs: nowMs,
        lastSeenAtMs: nowMs,
        expiresAtMs: nowMs + idleMs,
      };
      expect(added).toEqual(expected);
      expect(await signIns.find(given.id)).toEqual(expected);
      expect(await signIns.list('tag-one')).toEqual([expected]);
      expect(await signIns.list('tag-two')).toEqual([]);
    });

    test('lasts as long as it is used, and no longer than it may', async () => {
      const { storage, clock } = await openRig(open);
      const { signIns } = storage;
      const startMs = clock.nowMs();
      const { id, tokenTag } = await signIns.add(newSignIn());
      const touch = () => signIns.touch({ id, tokenTag, ...LIFETIME });

      clock.advance(2 * HOUR_MS);
      const used = await touch();
      clock.advance(2 * HOUR_MS);
      const again = await touch();
      clock.advance(HOUR_MS);
      const over = await touch();

      expect(used).toMatchObject({
        lastSeenAtMs: startMs + 2 * HOUR_MS,
        expiresAtMs: startMs + 5 * HOUR_MS,
      });
      expect(again).toMatchObject({
        lastSeenAtMs: startMs + 4 * HOUR_MS,
        expiresAtMs: startMs + 5 * HOUR_MS,
      });
      expect(over).toBeUndefined();
    });

    test('ends what is of the same token, once, and all others but one', async () => {
      const { storage } = await openRig(open);
      const { signIns } = storage;
      const [one, two, three] = [newSignIn(), newSignIn(), newSignIn()];
      const other = newSignIn({ tokenTag: 'tag-two' });
      for (const signIn of [one, two, three, other]) await signIns.add(signIn);
      const foreign = await signIns.end({ id: other.id, tokenTag: 'tag-one' });

      const ended = await Promise.all([signIns.end(one), signIns.end(one)]);
      const others = await signIns.endOthers({ tokenTag: 'tag-one', keep: two.id });

      expect(foreign).toBe(false);
      expect(ended.sort()).toEqual([false, true]);
      expect(others).toEqual([three.id]);
      expect(await signIns.touch(three)).toBeUndefined();
      const left = [...(await signIns.list('tag-one')), ...(await signIns.list('tag-two'))];
      expect(left.map(({ id }) => id)).toEqual([two.id, other.id]);
    });

    test('has room for so many, and forgets whom it has not seen for longest', async () => {
      const { storage, clock, openBeside } = await openRig(open);
      const beside = await openBeside();
      const first = await storage.signIns.add(newSignIn());
      const second = await storage.signIns.add(newSignIn());
      clock.advance(1000);
      await storage.signIns.touch({ ...first, ...LIFETIME });
      for (let added = 2; added < MAX_SIGN_INS; added += 1) await storage.signIns.add(newSignIn());

      await Promise.all([
        storage.signIns.add(newSignIn()),
        beside.signIns.add(newSignIn()),
        storage.signIns.add(newSignIn()),
      ]);

      const all = await storage.signIns.list('tag-one');
      expect(all).toHaveLength(MAX_SIGN_INS);
      expect(await storage.signIns.find(second.id)).toBeUndefined();
    });

    test('deletes what is over when somebody signs in', async () => {
      const { storage, clock } = await openRig(open);
      const old = await storage.signIns.add(newSignIn({ tokenTag: 'a token of last year' }));
      clock.advance(LIFETIME.idleMs);

      await storage.signIns.add(newSignIn());

      expect(await storage.signIns.find(old.id)).toBeUndefined();
    });
  });
}
