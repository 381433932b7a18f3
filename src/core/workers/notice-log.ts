import type { Clock } from '../clock.ts';
import type { WorkerDraft } from './worker.ts';

export interface NoticeLog {
  add(draft: WorkerDraft): void;
  /** Resolves when all that was added so far is stored or given up. */
  flush(): Promise<void>;
  /** As `flush`, after the last one was added. */
  finish(): Promise<void>;
}

export interface NoticeLogDeps {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly store: (drafts: readonly WorkerDraft[]) => Promise<void>;
  readonly onFault: (thrown: unknown) => void;
}

/** A program that reports what it does stays far below this; a loop that prints does not. */
export const MAX_NOTICES_PER_WINDOW = 2_000;
export const WINDOW_MS = 10_000;
/** What waits for the store. */
export const MAX_WAITING = 500;
const MAX_BATCH = 100;

/**
 * Stores what a worker says unasked, in order. What is beyond the bounds is left out, and the log says how much that
 * was: a worker must not be able to fill the disk or the memory by talking.
 */
export function createNoticeLog({ clock, store, onFault }: NoticeLogDeps): NoticeLog {
  let waiting: WorkerDraft[] = [];
  let dropped = 0;
  let window = { startedAtMs: clock.nowMs(), count: 0 };
  let writing: Promise<void> | undefined;

  function isWithinRate(): boolean {
    const nowMs = clock.nowMs();
    if (nowMs - window.startedAtMs >= WINDOW_MS) window = { startedAtMs: nowMs, count: 0 };
    window.count += 1;
    return window.count <= MAX_NOTICES_PER_WINDOW;
  }

  /** Said once there is room again, and not for each one: that would be a flood as well. */
  function sayDropped(): void {
    if (dropped > 0) {
      waiting.push({ type: 'worker.events_dropped', payload: { count: dropped } });
    }
    dropped = 0;
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      try {
        await store(batch);
      } catch (thrown) {
        onFault(thrown);
      }
    }
    writing = undefined;
  }

  function flush(): Promise<void> {
    if (waiting.length > 0) writing ??= writeAll();
    return writing ?? Promise.resolve();
  }

  return {
    add(draft) {
      if (waiting.length >= MAX_WAITING || !isWithinRate()) {
        dropped += 1;
        return;
      }
      sayDropped();
      waiting.push(draft);
      void flush();
    },

    flush,

    finish() {
      sayDropped();
      return flush();
    },
  };
}
