import type { Clock } from '../core/clock.ts';

export interface ChangeFollowerOptions {
  readonly read: () => Promise<void>;
  readonly onError: (error: Error) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const PAUSE_MS = 1_000;

/** However often a server says that its tools changed, one reading at a time follows, and a pause after each. */
export function createChangeFollower(options: ChangeFollowerOptions): () => void {
  let isStale = false;
  let isReading = false;

  async function readWhileStale(): Promise<void> {
    while (isStale && !options.signal.aborted) {
      isStale = false;
      await options.read();
      await options.clock.sleep(PAUSE_MS, options.signal);
    }
  }

  return () => {
    isStale = true;
    if (isReading) return;
    isReading = true;
    readWhileStale()
      .catch(options.onError)
      .finally(() => {
        isReading = false;
      });
  };
}
