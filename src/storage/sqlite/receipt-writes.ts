import type { WriteContext } from './write-context.ts';

export function createReceiptWrites(_context: WriteContext) {
  return {};
}
