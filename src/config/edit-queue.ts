import type { Clock } from '../core/clock.ts';
import { RuntimeError } from '../core/errors.ts';

/** Undefined while another process holds it. */
export type TryLock = () => { close(): void } | undefined;

export interface EditQueue {
  /** Runs edits one after the other, in this process and among all that share the lock. */
  run<T>(edit: () => Promise<T>): Promise<T>;
}

const MAX_WAITING = 32;
const LOCK_WAIT_MS = 5_000;
const LOCK_POLL_MS = 25;

export function createEditQueue(deps: {
  readonly tryLock: TryLock;
  readonly clock: Clock;
}): EditQueue {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  async function acquire(): Promise<{ close(): void }> {
    const deadlineMs = deps.clock.nowMs() + LOCK_WAIT_MS;
    for (;;) {
      const lock = deps.tryLock();
      if (lock !== undefined) return lock;
      if (deps.clock.nowMs() >= deadlineMs) throw busy('another process is changing it');
      await deps.clock.sleep(LOCK_POLL_MS);
    }
  }

  async function runLocked<T>(edit: () => Promise<T>): Promise<T> {
    const lock = await acquire();
    try {
      return await edit();
    } finally {
      lock.close();
    }
  }

  return {
    async run(edit) {
      if (waiting >= MAX_WAITING) throw busy(`${waiting} changes are waiting already`);
      waiting += 1;
      const done = last.then(() => runLocked(edit));
      last = done.catch(() => {});
      try {
        return await done;
      } finally {
        waiting -= 1;
      }
    },
  };
}

function busy(reason: string): RuntimeError {
  return new RuntimeError('conflict', `the configuration can not be changed now: ${reason}`);
}
