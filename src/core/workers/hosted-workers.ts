import { RuntimeError, toRuntimeError } from '../errors.ts';
import type { WorkerId } from '../ids.ts';
import { createHostedWorker, type HostedWorker, type HostedWorkerDeps } from './hosted-worker.ts';
import type { Worker } from './worker.ts';
import type { HostedAdapter } from './worker-adapter.ts';
import type { HostLease, WorkerStore } from './worker-store.ts';

/** Workers that live in this server, and would die with it. */
export interface HostedWorkers {
  readonly host: HostLease;
  open(worker: Worker, adapter: HostedAdapter, reason: 'attach' | 'reattach'): Promise<Worker>;
  /** Keeps room for one more while it is being attached; throws `rate_limited` when there is none. Call it to leave. */
  reserve(): () => void;
  find(id: WorkerId, epoch: number): HostedWorker | undefined;
  /** Renews the leases, and ends what this host has lost meanwhile. */
  renew(): Promise<void>;
  /** Ends them all, as the server goes. */
  stopAll(reason: string): Promise<void>;
}

export interface HostedWorkersDeps extends HostedWorkerDeps {
  readonly store: Pick<WorkerStore, 'record' | 'renew'>;
  readonly host: HostLease;
}

export function createHostedWorkers(deps: HostedWorkersDeps): HostedWorkers {
  const { store, host } = deps;
  const all = new Map<WorkerId, HostedWorker>();
  let reserved = 0;

  return {
    host,

    open(worker, adapter, reason) {
      const hosted = createHostedWorker(deps, worker, () => {
        if (all.get(worker.id) === hosted) all.delete(worker.id);
      });
      all.set(worker.id, hosted);
      return hosted.start(adapter, reason);
    },

    reserve() {
      const { maxHosted } = deps.settings();
      if (all.size + reserved >= maxHosted) {
        const message = `this server runs ${maxHosted} workers already; stop one first`;
        throw new RuntimeError('rate_limited', message, { details: { max_hosted: maxHosted } });
      }
      reserved += 1;
      return () => {
        reserved -= 1;
      };
    },

    find(id, epoch) {
      const hosted = all.get(id);
      return hosted?.worker.epoch === epoch ? hosted : undefined;
    },

    async renew() {
      if (all.size === 0) return;
      const held = [...all.values()];
      const workers = held.map(({ worker: { id, epoch } }) => ({ id, epoch }));
      const kept = new Set(await store.renew({ host, workers }));
      const lost = held.filter(
        (hosted) => !kept.has(hosted.worker.id) && all.get(hosted.worker.id) === hosted,
      );
      await Promise.all(lost.map((hosted) => hosted.abandon()));
    },

    async stopAll(reason) {
      const draft = { type: 'worker.stopped', payload: { reason } } as const;
      const ends = [...all.values()].map((hosted) =>
        hosted.end({ status: 'stopped', draft, reason }).done.catch((thrown: unknown) => {
          const fields = { worker_id: hosted.worker.id, err: toRuntimeError(thrown) };
          deps.logger.warn(fields, 'the end of a worker could not be recorded');
        }),
      );
      await Promise.all(ends);
    },
  };
}
