import type { Clock } from '../clock.ts';
import type { Logger } from '../log.ts';
import { type CountKind, type CountStore, KEPT_MS, MINUTE_MS, type MinuteCount } from './counts.ts';

/** Counts in memory, and writes behind: whoever counts never waits. */
export interface Tally {
  count(kind: CountKind, key: string): void;
  /** Writes what is not written yet. Throws when the store can't take it, and keeps it then. */
  flush(): Promise<void>;
  /** Writes what is left, as far as that works. */
  stop(): Promise<void>;
}

export interface TallyDeps {
  readonly store: Pick<CountStore, 'save'>;
  readonly clock: Pick<Clock, 'nowMs' | 'after'>;
  readonly logger: Logger;
  /** Unlike that of any other process. */
  readonly node: string;
}

/** What a crash loses at most. */
const FLUSH_MS = 3_000;

export function createTally({ store, clock, logger, node }: TallyDeps): Tally {
  /** Whole minutes, not what was added: a save whose answer got lost can be made again. */
  const minutes = new Map<string, MinuteCount & { readonly isSaved: boolean }>();
  let cancelTimer: (() => void) | undefined;
  let saving: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function save(): Promise<void> {
    forgetOld();
    const unsaved = [...minutes].filter(([, { isSaved }]) => !isSaved);
    if (unsaved.length === 0) return;
    await store.save(unsaved.map(([, { isSaved: _, ...count }]) => count));
    for (const [name, saved] of unsaved) {
      // Counted on meanwhile: what stands there is more than what was saved.
      if (minutes.get(name) === saved) minutes.set(name, { ...saved, isSaved: true });
    }
  }

  /** What is saved and over, and what nobody asks for any more, however long the store is away. */
  function forgetOld(): void {
    const nowMs = clock.nowMs();
    for (const [name, { minuteMs, isSaved }] of minutes) {
      const ageMs = nowMs - minuteMs;
      if (ageMs > KEPT_MS || (isSaved && ageMs >= MINUTE_MS)) minutes.delete(name);
    }
  }

  /** One after the other: an older state must not arrive last. */
  function flush(): Promise<void> {
    cancelTimer?.();
    cancelTimer = undefined;
    saving = saving
      .catch(() => {})
      .then(save)
      .catch((error: unknown) => {
        schedule();
        throw error;
      });
    return saving;
  }

  function schedule(): void {
    if (isStopped) return;
    cancelTimer ??= clock.after(FLUSH_MS, () => void flush().catch(report));
  }

  function report(err: unknown): void {
    logger.warn({ err }, 'counts of errors could not be saved');
  }

  return {
    count(kind, key) {
      const minuteMs = Math.floor(clock.nowMs() / MINUTE_MS) * MINUTE_MS;
      const name = `${minuteMs} ${kind} ${key}`;
      const times = (minutes.get(name)?.times ?? 0) + 1;
      minutes.set(name, { minuteMs, node, kind, key, times, isSaved: false });
      schedule();
    },
    flush,
    async stop() {
      isStopped = true;
      await flush().catch(report);
    },
  };
}
