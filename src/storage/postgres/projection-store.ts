import type { ProjectionStore } from '../../core/projection/projection-store.ts';
import type { StoreDeps } from './store-deps.ts';

export function createProjectionStore(_deps: StoreDeps): ProjectionStore {
  return {};
}
