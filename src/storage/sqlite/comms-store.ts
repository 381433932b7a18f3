import type { CommsStore } from '../../core/comms/comms-store.ts';
import type { PortDeps } from './port-deps.ts';

export function createCommsStore(_deps: PortDeps): CommsStore {
  return { isSuppressed: async () => false };
}
