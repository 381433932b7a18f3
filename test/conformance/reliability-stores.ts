import type { OpenBreakers } from './breaker-store.suite.ts';
import type { OpenIdempotency } from './effects/idempotency-rig.ts';
import { type OpenStorage, openRig } from './harness.ts';

/** The reliability stores of an engine that holds everything else too. */
export function idempotencyOf(open: OpenStorage): OpenIdempotency {
  return async () => {
    const { storage, clock, openBeside } = await openRig(open);
    return {
      store: storage.idempotency,
      clock,
      openBeside: async () => (await openBeside()).idempotency,
    };
  };
}

export function breakersOf(open: OpenStorage): OpenBreakers {
  return async () => {
    const { storage, openBeside } = await openRig(open);
    return {
      store: storage.breakers,
      openBeside: async () => (await openBeside()).breakers,
    };
  };
}
