import type { ExportedSkill } from '../../../../core/skills/exchange-skills.ts';
import type { SkillFolder } from '../../../../core/skills/skill-folder.ts';
import type { Skills } from '../../../../core/skills/skills.ts';

/** Skills of a state root, without a runtime around them, and the folders that they come from and go to. */
export interface LocalSkills {
  readonly skills: Pick<Skills, 'registry' | 'releases' | 'exchange'>;
  /** Throws `not_found` for a folder that is not there. */
  readFolder(path: string): Promise<SkillFolder>;
  /** Answers with its absolute path. Throws `conflict` when something is there. */
  writeFolder(path: string, skill: ExportedSkill): Promise<string>;
  close(): Promise<void>;
}
