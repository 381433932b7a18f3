import type { ProjectionStore } from '../../core/projection/projection-store.ts';
import type { PortDeps } from './port-deps.ts';

export function createProjectionStore(_deps: PortDeps): ProjectionStore {
  return {};
}
