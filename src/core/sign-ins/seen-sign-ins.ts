import type { Clock } from '../clock.ts';
import { toRuntimeError } from '../errors.ts';
import type { SignInId } from '../ids.ts';
import type { Logger } from '../log.ts';
import type { Lifetime, SignIn, SignInStore } from './sign-in.ts';
import { MAX_SIGN_INS } from './stored-sign-ins.ts';

export interface SeenDeps {
  readonly store: Pick<SignInStore, 'find' | 'touch'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Logger;
  readonly lifetime: () => Lifetime;
}

/** How long a sign-in that another node ended may still pass here: every request asks, and not each of them can read. */
const MAX_AGE_MS = 1_000;
/** A use within this time of the last one is not written down. */
const TOUCH_MS = 60_000;

/** Sign-ins as they were a moment ago, so that a page that asks ten things at once costs one look. */
export function createSeenSignIns({ store, clock, logger, lifetime }: SeenDeps) {
  const known = new Map<SignInId, { readonly signIn: SignIn; readonly atMs: number }>();

  function remember(signIn: SignIn): void {
    if (known.size >= MAX_SIGN_INS) known.clear();
    known.set(signIn.id, { signIn, atMs: clock.nowMs() });
  }

  return {
    forget: (id: SignInId) => known.delete(id),

    async get(id: SignInId): Promise<SignIn | undefined> {
      const recent = known.get(id);
      if (recent && Math.abs(clock.nowMs() - recent.atMs) < MAX_AGE_MS) return recent.signIn;
      const signIn = await store.find(id);
      if (signIn) remember(signIn);
      else known.delete(id);
      return signIn;
    },

    /** A store that can't write for now signs nobody out. */
    async touch(signIn: SignIn): Promise<SignIn> {
      const nowMs = clock.nowMs();
      if (nowMs - signIn.lastSeenAtMs < TOUCH_MS) return signIn;
      // Before the write: those who ask meanwhile need not write it too.
      remember({ ...signIn, lastSeenAtMs: nowMs });
      try {
        const touched = await store.touch({
          id: signIn.id,
          tokenTag: signIn.tokenTag,
          ...lifetime(),
        });
        if (touched) remember(touched);
        return touched ?? signIn;
      } catch (thrown) {
        logger.warn({ code: toRuntimeError(thrown).code }, 'a sign-in could not be seen to');
        return signIn;
      }
    },
  };
}
