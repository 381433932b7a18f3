import type { WriteContext } from './write-context.ts';

export function createSkillWrites(_context: WriteContext) {
  return {};
}
