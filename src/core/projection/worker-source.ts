import { defined } from '../defined.ts';
import type { Wakeups } from '../events/event-log.ts';
import type { WorkerId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import type { Worker } from '../workers/worker.ts';
import type { WorkerStore } from '../workers/worker-store.ts';
import { foldLog } from './fold-log.ts';
import type { Fold, ProjectionSource } from './projection-source.ts';
import type { ProjectionStore } from './projection-store.ts';
import {
  applyWorkerEvent,
  toWorkerSummary,
  WORKER_FOLD_START,
  workerFoldSchema,
} from './worker-summary.ts';

export interface WorkerSourceDeps {
  readonly workers: Pick<WorkerStore, 'find' | 'readEvents'>;
  readonly projections: Pick<ProjectionStore, 'listWorkers'>;
  readonly wakeups: Pick<Wakeups, 'watchWorkers'>;
}

export function createWorkerSource(deps: WorkerSourceDeps): ProjectionSource {
  const { workers, projections, wakeups } = deps;

  async function foldWorker(
    worker: Worker,
    from: JsonObject | undefined,
    throughSeq: number,
  ): Promise<Fold> {
    const state = await foldLog({
      from: from === undefined ? WORKER_FOLD_START : workerFoldSchema.parse(from),
      throughSeq,
      read: (page) => workers.readEvents(worker.id, page),
      apply: applyWorkerEvent,
    });
    const { seq, firstSeq } = state;
    return { seq, firstSeq, state, summary: toWorkerSummary(worker, state) };
  }

  return {
    projection: 'codex_worker_summary',
    // They are few, and one that was stopped long ago may be attached again.
    isNewestFirst: false,

    async find(id) {
      const worker = await workers.find(id as WorkerId);
      if (worker === undefined) return undefined;
      return {
        id,
        latestSeq: worker.latestSeq,
        createdAtMs: worker.createdAtMs,
        isOpen: true,
        fold: (from, throughSeq) => foldWorker(worker, from, throughSeq),
      };
    },

    async list({ after, limit }) {
      const positions = await projections.listWorkers({
        limit,
        ...defined({ after }),
      });
      return { positions, next: positions.length < limit ? undefined : positions.at(-1)?.id };
    },

    watch: (listener) => wakeups.watchWorkers(listener),
  };
}
