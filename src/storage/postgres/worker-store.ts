import type { WorkerStore } from '../../core/workers/worker-store.ts';
import type { StoreDeps } from './store-deps.ts';

export function createWorkerStore(_deps: StoreDeps): WorkerStore {
  return {};
}
