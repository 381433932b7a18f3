import type { WriteContext } from './write-context.ts';

export function createWorkerWrites(_context: WriteContext) {
  return {};
}
