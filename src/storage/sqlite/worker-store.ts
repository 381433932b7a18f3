import type { WorkerStore } from '../../core/workers/worker-store.ts';
import type { PortDeps } from './port-deps.ts';

export function createWorkerStore(_deps: PortDeps): WorkerStore {
  return {};
}
