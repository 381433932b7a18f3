import type { RuntimeError } from '../../core/errors.ts';
import type { WriteOpName, WriteOps } from './write-ops.ts';
import { MAX_PENDING_WRITES, type PendingWrite, queueFull, storageClosed } from './writer.ts';

export interface WriteQueue {
  submit<Op extends WriteOpName>(
    op: Op,
    ...args: Parameters<WriteOps[Op]>
  ): Promise<ReturnType<WriteOps[Op]>>;
  /** Removes the oldest writes that were sent, in the order they were sent. */
  takeSent(count: number): PendingWrite[];
  /** Resolves when everything submitted so far has been answered; later writes are refused. */
  drain(): Promise<void>;
  failAll(error: RuntimeError): void;
  readonly size: number;
}

export interface WriteQueueConfig {
  /** Puts the flush off until the callers that are ready to write have written. */
  readonly defer: (flush: () => void) => void;
  readonly send: (writes: readonly PendingWrite[]) => void;
}

/** Collects writes that are made at the same time and sends them together. */
export function createWriteQueue({ defer, send }: WriteQueueConfig): WriteQueue {
  let waiting: PendingWrite[] = [];
  let sent: PendingWrite[] = [];
  let closed = false;
  let onEmpty: (() => void) | undefined;

  function flush(): void {
    const writes = waiting;
    if (writes.length === 0) return;
    waiting = [];
    sent = sent.length === 0 ? writes.slice() : sent.concat(writes);
    send(writes);
  }

  function checkEmpty(): void {
    if (sent.length + waiting.length === 0) onEmpty?.();
  }

  return {
    get size() {
      return sent.length + waiting.length;
    },

    submit(op, ...args) {
      return new Promise((resolve, reject) => {
        if (closed) return reject(storageClosed());
        if (sent.length + waiting.length >= MAX_PENDING_WRITES) return reject(queueFull());
        // What a write resolves with is what its operation returned: the pair is made here and nowhere else.
        waiting.push({ op, args, resolve: resolve as (value: unknown) => void, reject });
        if (waiting.length === 1) defer(flush);
      });
    },

    takeSent(count) {
      const taken = sent.splice(0, count);
      checkEmpty();
      return taken;
    },

    drain() {
      closed = true;
      return new Promise((resolve) => {
        onEmpty = resolve;
        checkEmpty();
      });
    },

    failAll(error) {
      const failed = sent.concat(waiting);
      sent = [];
      waiting = [];
      for (const write of failed) write.reject(error);
      checkEmpty();
    },
  };
}
