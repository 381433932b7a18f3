import { existsSync } from 'node:fs';
import { assembleSkills } from './assembly/assemble-skills.ts';
import type { Environment } from './config/environment.ts';
import { type LoadedConfig, loadConfig } from './config/load-config.ts';
import { RuntimeError } from './core/errors.ts';
import type { Logger } from './core/log.ts';
import type { SkillStore } from './core/skills/skill-store.ts';
import type { Storage } from './core/storage.ts';
import { openStorage } from './open-storage.ts';
import { readSkillFolder } from './storage/skills/read-skill-folder.ts';
import { writeSkillFolder } from './storage/skills/write-skill-folder.ts';
import { openSqliteStorage } from './storage/sqlite/open-sqlite-storage.ts';
import type { LocalSkills } from './surfaces/cli/commands/skills/skills-access.ts';

export interface OpenSkillsOptions {
  readonly root: string;
  readonly env: Environment;
  /** Who only reads creates nothing, not even the database. */
  readonly access: 'read' | 'write';
  readonly logger: Logger;
}

/** Skills of a state root for a command, beside a running server or without one. */
export async function openSkills(options: OpenSkillsOptions): Promise<LocalSkills> {
  const { logger } = options;
  const loaded = await load(options);
  const storage = await open(options, loaded);
  const { skills } = assembleSkills({ live: { current: () => loaded }, storage, logger });
  return {
    skills,
    readFolder: readSkillFolder,
    writeFolder: writeSkillFolder,
    close: () => storage.close(),
  };
}

async function load({ root, env, access }: OpenSkillsOptions): Promise<LoadedConfig> {
  if (access === 'read') return loadConfig({ root, env });
  const { prepareStateRoot } = await import('./config/state-root/state-root.ts');
  return (await prepareStateRoot({ root, env })).loaded;
}

type OpenedStore = Pick<Storage, 'skills' | 'close'>;

async function open(
  { access, logger }: OpenSkillsOptions,
  loaded: LoadedConfig,
): Promise<OpenedStore> {
  if (access === 'write' || loaded.credentials.databaseUrl !== undefined) {
    return openStorage(loaded, { role: 'local' }, logger);
  }
  const file = loaded.paths.databaseFile;
  if (!existsSync(file)) return { skills: NO_SKILLS, close: async () => {} };
  return openSqliteStorage({ file, writer: 'inline', readOnly: true, logger });
}

/** Of a state root that nothing was ever stored in. */
const NO_SKILLS: SkillStore = {
  putSpec: refuse,
  publish: refuse,
  findSpec: async () => undefined,
  listSpecs: async () => [],
  findRelease: async () => undefined,
  listReleases: async () => [],
};

async function refuse(): Promise<never> {
  throw new RuntimeError('internal', 'a store that was opened for reading is written to');
}
