import type { SkillStore } from '../../core/skills/skill-store.ts';
import type { StoreDeps } from './store-deps.ts';

export function createSkillStore(_deps: StoreDeps): SkillStore {
  return {};
}
