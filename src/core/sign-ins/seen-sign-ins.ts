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
  /** How many were ended: what was read before one was is not remembered after it. */
  let endings = 0;

  function remember(signIn: SignIn): void {
    if (known.size >= MAX_SIGN_INS) known.clear();
    known.set(signIn.id, { signIn, atMs: clock.nowMs() });
  }

  return {
    forget(id: SignInId): void {
      endings += 1;
      known.delete(id);
    },

    async get(id: SignInId): Promise<SignIn | undefined> {
      const recent = known.get(id);
      if (recent && Math.abs(clock.nowMs() - recent.atMs) < MAX_AGE_MS) return recent.signIn;
      const before = endings;
      const signIn = await store.find(id);
      if (signIn && before === endings) remember(signIn);
      if (!signIn) known.delete(id);
      return signIn;
    },

    /** Undefined when it was ended meanwhile. A store that can't write for now signs nobody out. */
    async touch(signIn: SignIn): Promise<SignIn | undefined> {
      const nowMs = clock.nowMs();
      if (nowMs - signIn.lastSeenAtMs < TOUCH_MS) return signIn;
      // Before the write: those who ask meanwhile need not write it too.
      remember({ ...signIn, lastSeenAtMs: nowMs });
      const before = endings;
      try {
        const touched = await store.touch({
          id: signIn.id,
          tokenTag: signIn.tokenTag,
          ...lifetime(),
        });
        if (touched && before === endings) remember(touched);
        if (!touched) known.delete(signIn.id);
        return touched;
      } catch (thrown) {
        logger.warn({ code: toRuntimeError(thrown).code }, 'a sign-in could not be seen to');
        return signIn;
      }
    },
  };
}
