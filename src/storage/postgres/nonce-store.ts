import type { NonceStore } from '../../core/threads/nonce-store.ts';
import type { StoreDeps } from './store-deps.ts';

export function createNonceStore(_deps: StoreDeps): NonceStore {
  return { use: async () => true };
}
