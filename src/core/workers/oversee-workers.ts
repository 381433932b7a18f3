import type { WorkerId } from '../ids.ts';
import type { Redactor } from '../redact/redact.ts';
import { type EndDeps, endWorker } from './end-worker.ts';
import type { Worker, WorkerStatus } from './worker.ts';
import { workerNotFound } from './worker-faults.ts';
import type { WorkerStore } from './worker-store.ts';
import type { Workers } from './workers.ts';

/** What the operator sees of the workers of all principals, and may do to them. */
export interface WorkerOversight extends Pick<Workers, 'heartbeat'> {
  /** By id. */
  list(page: ListAllWorkers): Promise<WorkerListing>;
  /** Throws `not_found`. */
  get(id: WorkerId): Promise<Worker>;
  /** Open requests are answered as of unknown outcome. The same again changes nothing. */
  stop(id: WorkerId, reason: string): Promise<Worker>;
}

interface ListAllWorkers {
  readonly status?: WorkerStatus;
  readonly after?: WorkerId;
  readonly limit: number;
}

export interface WorkerListing {
  readonly workers: readonly Worker[];
  readonly next: WorkerId | undefined;
}

export interface OversightDeps extends EndDeps {
  readonly store: EndDeps['store'] & Pick<WorkerStore, 'find' | 'listAll'>;
  readonly redactor: Pick<Redactor, 'redactText'>;
  readonly workers: Pick<Workers, 'heartbeat'>;
}

export function createWorkerOversight(deps: OversightDeps): WorkerOversight {
  const { store, redactor } = deps;

  async function get(id: WorkerId): Promise<Worker> {
    const worker = await store.find(id);
    if (!worker) throw workerNotFound(id);
    return worker;
  }

  return {
    get,
    heartbeat: (worker) => deps.workers.heartbeat(worker),

    async list({ limit, ...page }) {
      const found = await store.listAll({ ...page, limit: limit + 1 });
      const workers = found.slice(0, limit);
      return { workers, next: found.length > limit ? workers.at(-1)?.id : undefined };
    },

    async stop(id, given) {
      const reason = redactor.redactText(given);
      const draft = { type: 'worker.stopped', payload: { reason } } as const;
      return (await endWorker(deps, await get(id), { status: 'stopped', draft, reason })).worker;
    },
  };
}
