import type { WriteContext } from './write-context.ts';

export function createCommsWrites(_context: WriteContext) {
  return {};
}
