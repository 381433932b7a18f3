import type { CommsStore } from '../../core/comms/comms-store.ts';
import type { StoreDeps } from './store-deps.ts';

export function createCommsStore(_deps: StoreDeps): CommsStore {
  return { isSuppressed: async () => false };
}
