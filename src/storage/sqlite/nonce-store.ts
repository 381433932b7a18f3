import type { NonceStore } from '../../core/threads/nonce-store.ts';
import type { PortDeps } from './port-deps.ts';

export function createNonceStore({ writer }: PortDeps): NonceStore {
  return { use: (nonce) => writer.submit('useNonce', nonce) };
}
