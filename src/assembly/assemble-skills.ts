import { join } from 'node:path';
import type { LiveConfig } from '../config/live-config.ts';
import { systemClock } from '../core/clock.ts';
import type { Logger } from '../core/log.ts';
import type { SkillKeys } from '../core/skills/release-signature.ts';
import { createSkills, type Skills } from '../core/skills/skills.ts';
import type { Storage } from '../core/storage.ts';
import type { Tool } from '../core/tools/tool.ts';
import { createSigningKeyFile } from '../storage/files/signing-key-file.ts';
import { createSkillRead } from '../toolbox/skills/skill-read.ts';

export interface SkillGround {
  readonly live: Pick<LiveConfig, 'current'>;
  readonly storage: Pick<Storage, 'skills'>;
  readonly logger: Logger;
}

export interface AssembledSkills {
  readonly skills: Skills;
  /** Whole agents are signed with them too. */
  readonly keys: SkillKeys;
  readonly tools: readonly Tool[];
}

/** Where this installation's signing key lies, under the state folder. */
const KEY_FILE = 'skill-signing.key';

/** Specs, releases and the tool that runs read skills with. Nothing is created before the first release is. */
export function assembleSkills({ live, storage, logger }: SkillGround): AssembledSkills {
  const settings = () => live.current().config.skills;
  const key = createSigningKeyFile({
    file: join(live.current().paths.stateDir, KEY_FILE),
    need: 'releases signed with another key are refused without it',
  });
  const keys: SkillKeys = {
    getOwn: () => key.get(),
    findOwn: () => key.find(),
    trusted: () => settings().trusted_keys,
  };
  const skills = createSkills({
    store: storage.skills,
    keys,
    clock: systemClock,
    logger,
    settings() {
      const { enabled, max_in_prompt: maxInPrompt } = settings();
      return { isEnabled: enabled, maxInPrompt };
    },
  });
  return { skills, keys, tools: [createSkillRead(skills.shelf)] };
}
