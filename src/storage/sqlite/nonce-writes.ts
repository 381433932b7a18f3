import type { WriteContext } from './write-context.ts';

export function createNonceWrites(_context: WriteContext) {
  return {};
}
