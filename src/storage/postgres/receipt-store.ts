import type { ReceiptStore } from '../../core/integrations/receipt-store.ts';
import type { StoreDeps } from './store-deps.ts';

export function createReceiptStore(_deps: StoreDeps): ReceiptStore {
  return {};
}
