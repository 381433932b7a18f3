import type { WorkerEnding } from './hosted-worker.ts';
import type { HostedWorkers } from './hosted-workers.ts';
import { isLive, type Worker, type WorkerEvent } from './worker.ts';
import type { WorkerStore } from './worker-store.ts';

export interface EndDeps {
  readonly store: Pick<WorkerStore, 'record'>;
  readonly hosted: HostedWorkers;
}

export interface WorkerEndReceipt {
  readonly worker: Worker;
  /** True when it had ended before, or somebody else ended it at the same moment. */
  readonly replayed: boolean;
  /** The one that says so; undefined when it was there before. */
  readonly event: WorkerEvent | undefined;
}

/** Ends a worker wherever it lives. One in another server's hands ends there when that server next renews it. */
export async function endWorker(
  { store, hosted }: EndDeps,
  worker: Worker,
  ending: WorkerEnding,
): Promise<WorkerEndReceipt> {
  if (!isLive(worker.status)) return { worker, replayed: true, event: undefined };
  const { id, epoch } = worker;
  const local = hosted.find(id, epoch)?.end(ending);
  const result = local
    ? await local.done
    : await store.record({
        id,
        epoch,
        from: ['starting', 'running', 'stopping'],
        status: ending.status,
        drafts: [ending.draft],
      });
  const isOurs = result.outcome === 'recorded' && local?.isFirst !== false;
  const event = isOurs ? result.events.at(-1) : undefined;
  return { worker: result.worker, replayed: !isOurs, event };
}
