import type { Clock } from './clock.ts';
import { RuntimeError } from './errors.ts';

/** Something that other processes change too, known here as it was at most so long ago. */
export interface FreshValue<T> {
  /** As a look found it that began no longer ago than `maxAgeMs`. Throws what looking throws. */
  get(): Promise<T>;
  /** It was changed here: what was found before, and by a look under way, no longer counts. */
  forget(): void;
}

export interface FreshValueDeps<T> {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly maxAgeMs: number;
  readonly look: () => Promise<T>;
}

interface Look<T> {
  readonly beganAtMs: number;
  readonly found: Promise<T>;
}

/** Looks in a row that took longer than what they find may be old: a store that slow tells nothing. */
const MAX_LOOKS = 20;

/** Those who ask while somebody looks share what he finds. */
export function createFreshValue<T>(deps: FreshValueDeps<T>): FreshValue<T> {
  let latest: Look<T> | undefined;
  let changes = 0;

  function isFresh({ beganAtMs }: Look<T>): boolean {
    const ageMs = deps.clock.nowMs() - beganAtMs;
    // A clock that was set back makes a look of the future, whose age nobody knows.
    return ageMs >= 0 && ageMs < deps.maxAgeMs;
  }

  function look(): Look<T> {
    const begun = { beganAtMs: deps.clock.nowMs(), found: deps.look() };
    latest = begun;
    begun.found.catch(() => {
      if (latest === begun) latest = undefined;
    });
    return begun;
  }

  return {
    async get() {
      for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
        const seen = changes;
        const asked = latest && isFresh(latest) ? latest : look();
        const found = await asked.found;
        if (seen === changes && isFresh(asked)) return found;
      }
      throw new RuntimeError('storage_unavailable', 'the store answers too slowly to be relied on');
    },
    forget() {
      changes += 1;
      latest = undefined;
    },
  };
}
