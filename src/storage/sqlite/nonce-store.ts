import type { NonceStore } from '../../core/threads/nonce-store.ts';
import type { PortDeps } from './port-deps.ts';

export function createNonceStore(_deps: PortDeps): NonceStore {
  return { use: async () => true };
}
