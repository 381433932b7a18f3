import { toStorageFault } from '../faults.ts';
import type { Settled } from '../write-queue.ts';
import type { RunBatch } from './run-batch.ts';
import type { RunWrite } from './run-write.ts';

/** A write that throws has changed nothing, so the others go on without it. */
export function settleWrites(writes: readonly RunWrite[], batch: RunBatch): Settled[] {
  return writes.map((write) => {
    try {
      return { ok: true, value: write.apply(batch) };
    } catch (thrown) {
      return { ok: false, error: toStorageFault(thrown) };
    }
  });
}
