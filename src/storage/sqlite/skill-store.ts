import type { SkillStore } from '../../core/skills/skill-store.ts';
import type { PortDeps } from './port-deps.ts';

export function createSkillStore(_deps: PortDeps): SkillStore {
  return {};
}
