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

/** A program that reports what it does stays far below these; a loop that prints does not. */
export const MAX_NOTICES_PER_WINDOW = 2_000;
export const MAX_CHARS_PER_WINDOW = 16 * 1024 * 1024;
export const WINDOW_MS = 10_000;
/** What waits for the store. */
export const MAX_WAITING = 500;
export const MAX_WAITING_CHARS = 8 * 1024 * 1024;
const MAX_BATCH = 100;

interface Waiting {
  readonly draft: WorkerDraft;
  readonly chars: number;
}

/**
 * Stores what a worker says unasked, in order. What is beyond the bounds is left out, and the log says how much that
 * was: a worker must not be able to fill the disk or the memory by talking.
 */
export function createNoticeLog({ clock, store, onFault }: NoticeLogDeps): NoticeLog {
  let waiting: Waiting[] = [];
  let waitingChars = 0;
  let dropped = 0;
  let window = { startedAtMs: clock.nowMs(), count: 0, chars: 0 };
  let writing: Promise<void> | undefined;

  /** Undefined when there is no room for it. Measured last: a flood is dropped without a look at it. */
  function measure({ payload }: WorkerDraft): number | undefined {
    const nowMs = clock.nowMs();
    if (nowMs - window.startedAtMs >= WINDOW_MS) {
      window = { startedAtMs: nowMs, count: 0, chars: 0 };
    }
    if (waiting.length >= MAX_WAITING || window.count >= MAX_NOTICES_PER_WINDOW) return undefined;
    const chars = JSON.stringify(payload).length;
    if (waitingChars + chars > MAX_WAITING_CHARS) return undefined;
    return window.chars + chars > MAX_CHARS_PER_WINDOW ? undefined : chars;
  }

  function hold(draft: WorkerDraft, chars: number): void {
    waiting.push({ draft, chars });
    waitingChars += chars;
  }

  /** Said once there is room again, and not for each one: that would be a flood as well. */
  function sayDropped(): void {
    if (dropped > 0) hold({ type: 'worker.events_dropped', payload: { count: dropped } }, 0);
    dropped = 0;
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      try {
        await store(batch.map(({ draft }) => draft));
      } catch (thrown) {
        onFault(thrown);
      }
      for (const { chars } of batch) waitingChars -= chars;
    }
    writing = undefined;
  }

  function flush(): Promise<void> {
    if (waiting.length > 0) writing ??= writeAll();
    return writing ?? Promise.resolve();
  }

  return {
    add(draft) {
      const chars = measure(draft);
      if (chars === undefined) {
        dropped += 1;
        return;
      }
      window.count += 1;
      window.chars += chars;
      sayDropped();
      hold(draft, chars);
      void flush();
    },

    flush,

    finish() {
      sayDropped();
      return flush();
    },
  };
}
