import type { Clock } from '../clock.ts';
import type { Wakeups } from '../events/event-log.ts';
import type { WorkerId } from '../ids.ts';
import type { WorkerEvent } from './worker.ts';
import { type WorkerStore, workerTopic } from './worker-store.ts';

const PAGE_SIZE = 500;

export interface TailWorkerDeps {
  readonly store: Pick<WorkerStore, 'readEvents'>;
  readonly wakeups: Wakeups;
  readonly clock: Pick<Clock, 'nowMs'>;
}

export interface TailWorkerRequest {
  readonly workerId: WorkerId;
  readonly after: number;
  /** How long to wait for the next event; counted anew after every page that brought one. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/**
 * The events of a worker after a cursor, as pages, in order and without gaps. A worker can always be attached again, so
 * no event is the last one: it ends after `idleMs` without news, or when the reader leaves.
 */
export async function* tailWorker(
  deps: TailWorkerDeps,
  request: TailWorkerRequest,
): AsyncGenerator<WorkerEvent[]> {
  // Subscribe before the first read: an event committed between the two would wake nobody.
  const wakeup = deps.wakeups.subscribe(workerTopic(request.workerId));
  try {
    let cursor = request.after;
    let deadlineMs = deps.clock.nowMs() + request.idleMs;
    while (!request.signal.aborted) {
      const page = await deps.store.readEvents(request.workerId, {
        after: cursor,
        limit: PAGE_SIZE,
      });
      const last = page.at(-1);
      if (last) {
        // What comes next was removed while a slow reader was on its way: told by the refusal when it comes back.
        if (page[0]?.seq !== cursor + 1) return;
        yield page;
        cursor = last.seq;
        deadlineMs = deps.clock.nowMs() + request.idleMs;
      }
      if (page.length === PAGE_SIZE) continue;
      const woken = await wakeup.next({ deadlineMs, signal: request.signal });
      if (!woken) return;
    }
  } finally {
    wakeup.close();
  }
}
