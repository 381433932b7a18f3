import type { WriteContext } from './write-context.ts';

export function createProjectionWrites(_context: WriteContext) {
  return {};
}
