import { RuntimeError } from '../../core/errors.ts';

/** One queued write. Writes that share an order key are committed in the order they were submitted. */
export interface QueuedWrite {
  readonly orderKeys: readonly string[];
  readonly bytes: number;
  /** Only writes of the same lane share a batch. */
  readonly lane?: string;
}

export type Settled =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: Error };

export interface WriteQueueOptions<Write extends QueuedWrite> {
  /** Batches in flight at once, on connections of their own. */
  readonly maxInFlight: number;
  readonly maxBatchWrites: number;
  readonly maxBatchBytes: number;
  readonly maxQueuedWrites: number;
  readonly maxQueuedBytes: number;
  /** Answers for each write of the batch, in its order, after commit. Never rejects. */
  readonly commit: (batch: readonly Write[]) => Promise<readonly Settled[]>;
}

export interface WriteQueue<Write extends QueuedWrite> {
  submit(write: Write): Promise<unknown>;
  /** Refuses further writes and waits for those it took. */
  close(): Promise<void>;
}

interface Entry<Write> {
  readonly write: Write;
  readonly settle: (settled: Settled) => void;
}

/**
 * Group commit on the client's side: while a batch is on its way, writes pile up and become the next one, so that many
 * callers share a transaction and each is answered after its commit.
 */
export function createWriteQueue<Write extends QueuedWrite>(
  options: WriteQueueOptions<Write>,
): WriteQueue<Write> {
  let waiting: Entry<Write>[] = [];
  let queuedBytes = 0;
  let inFlight = 0;
  let isScheduled = false;
  let isClosed = false;
  const busyKeys = new Set<string>();
  const idleListeners: (() => void)[] = [];

  // Deferred by one turn of the event loop: callers answered by the last batch then join the next one.
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      while (inFlight < options.maxInFlight && dispatch());
    });
  }

  function dispatch(): boolean {
    const { batch, rest } = pickBatch(waiting, busyKeys, options);
    if (batch.length === 0) return false;
    waiting = rest;
    void commit(batch);
    return true;
  }

  async function commit(batch: readonly Entry<Write>[]): Promise<void> {
    inFlight += 1;
    for (const { write } of batch) for (const key of write.orderKeys) busyKeys.add(key);
    const settled = await options.commit(batch.map(({ write }) => write));
    inFlight -= 1;
    batch.forEach(({ write, settle }, index) => {
      queuedBytes -= write.bytes;
      for (const key of write.orderKeys) busyKeys.delete(key);
      settle(
        settled[index] ?? {
          ok: false,
          error: new RuntimeError('internal', 'a write got no answer'),
        },
      );
    });
    if (waiting.length > 0) schedule();
    else if (inFlight === 0) for (const listener of idleListeners.splice(0)) listener();
  }

  return {
    submit: (write) =>
      new Promise((resolve, reject) => {
        if (isClosed)
          return reject(new RuntimeError('storage_unavailable', 'the storage is closed'));
        if (waiting.length >= options.maxQueuedWrites || queuedBytes >= options.maxQueuedBytes) {
          return reject(
            new RuntimeError('storage_unavailable', `${waiting.length} writes are waiting already`),
          );
        }
        queuedBytes += write.bytes;
        waiting.push({
          write,
          settle: (settled) => (settled.ok ? resolve(settled.value) : reject(settled.error)),
        });
        schedule();
      }),
    close: () => {
      isClosed = true;
      if (waiting.length === 0 && inFlight === 0) return Promise.resolve();
      return new Promise((resolve) => idleListeners.push(resolve));
    },
  };
}

interface BatchLimits {
  readonly maxBatchWrites: number;
  readonly maxBatchBytes: number;
}

/** The oldest writes whose keys no batch in flight and no write left behind holds. */
function pickBatch<Write extends QueuedWrite>(
  waiting: readonly Entry<Write>[],
  busyKeys: ReadonlySet<string>,
  limits: BatchLimits,
): { batch: Entry<Write>[]; rest: Entry<Write>[] } {
  const batch: Entry<Write>[] = [];
  const rest: Entry<Write>[] = [];
  const blocked = new Set<string>();
  let bytes = 0;
  for (const entry of waiting) {
    const { orderKeys } = entry.write;
    const isFull =
      batch.length > 0 &&
      (batch.length >= limits.maxBatchWrites || bytes + entry.write.bytes > limits.maxBatchBytes);
    const isElsewhere = batch.length > 0 && batch[0]?.write.lane !== entry.write.lane;
    if (isFull || isElsewhere || orderKeys.some((key) => busyKeys.has(key) || blocked.has(key))) {
      for (const key of orderKeys) blocked.add(key);
      rest.push(entry);
      continue;
    }
    bytes += entry.write.bytes;
    batch.push(entry);
  }
  return { batch, rest };
}
