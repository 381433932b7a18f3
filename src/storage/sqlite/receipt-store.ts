import type { ReceiptStore } from '../../core/integrations/receipt-store.ts';
import type { PortDeps } from './port-deps.ts';

export function createReceiptStore(_deps: PortDeps): ReceiptStore {
  return {};
}
