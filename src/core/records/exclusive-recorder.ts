import type { Clock } from '../clock.ts';
import type { Recorder } from './recorder.ts';

export interface ExclusiveRecorderDeps {
  readonly recorder: Pick<Recorder, 'start' | 'stop'>;
  /** Undefined while another process holds it. */
  readonly tryLock: () => { close(): void } | undefined;
  readonly clock: Clock;
}

/** A command that records its own run is done within seconds; a server takes over soon after. */
const RETRY_MS = 2_000;

/**
 * Lets one process of a state root write its records, whichever came first: a server, or a command beside none. The
 * others leave their runs to it, or to whoever comes next: nothing is lost, because the log knows what is missing.
 */
export function createExclusiveRecorder(deps: ExclusiveRecorderDeps) {
  let lock: { close(): void } | undefined;
  let cancelRetry = () => {};

  function tryStart(): void {
    lock = deps.tryLock();
    if (lock) deps.recorder.start();
    else cancelRetry = deps.clock.after(RETRY_MS, tryStart);
  }

  return {
    start: tryStart,

    async stop(): Promise<void> {
      cancelRetry();
      // One more try: the process that recorded until now may just have left.
      lock ??= deps.tryLock();
      if (!lock) return;
      await deps.recorder.stop();
      lock.close();
    },
  };
}
