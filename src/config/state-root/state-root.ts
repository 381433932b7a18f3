import { existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { DIRECTORY_MODE } from '../../platform/owner-only.ts';
import { readEnvironment } from '../environment.ts';
import { type ConfigSources, type LoadedConfig, loadConfig } from '../load-config.ts';
import { writeSchemaFile } from '../write-schema-file.ts';
import { assertRootPlace } from './assert-root-place.ts';
import { resolveRoot } from './find-state-root.ts';
import { createSecretFile } from './secret-file.ts';
import { createStateFile } from './state-file.ts';
import { type StatePaths, toStatePaths } from './state-paths.ts';
import { toStorageFault } from './storage-fault.ts';

export interface PreparedRoot {
  readonly loaded: LoadedConfig;
  /** Paths that did not exist before this call. */
  readonly created: readonly string[];
  /** Paths that this call would have made, had they not been there. */
  readonly existing: readonly string[];
  /** For the operator: things that work and should not stay so. */
  readonly warnings: readonly string[];
}

/**
 * What the first start writes: where to change the two things people change, and no copies of other defaults. The
 * reliability layer is the one exception: its default is off, as its contract says, and a new root has it on.
 */
const FIRST_CONFIG = {
  $schema: './config.schema.json',
  version: 1,
  server: { bind_address: '127.0.0.1', port: 3000 },
  model: { default: null },
  tool_reliability: { mode: 'all' },
};

/** Nothing in it is for a repository around it; skills, commands and plugins in `.claw` may be. */
const STATE_GITIGNORE = '*\n';
const CLAW_GITIGNORE =
  '*\n!/skills/\n!/skills/**\n!/commands/\n!/commands/**\n!/plugins/\n!/plugins/**\n';

/**
 * Creates what is missing under the state root and loads its config. Doing it again, or twice at once, is harmless. A
 * `workspaceRoot` is written into a config that was not there.
 */
export async function prepareStateRoot(
  sources: ConfigSources & { readonly workspaceRoot?: string } = {},
): Promise<PreparedRoot> {
  const env = sources.env ?? readEnvironment();
  const paths = toStatePaths(resolveRoot(sources.root, env));
  const created: string[] = [];
  const existing: string[] = [];
  const note = (path: string, isNew: boolean) => (isNew ? created : existing).push(path);
  await assertRootPlace(paths.root);
  assertNoRestore(paths);
  if (await createDirectory(paths.root)) created.push(paths.root);
  note(paths.stateDir, await createDirectory(paths.stateDir, DIRECTORY_MODE));
  await writeSchemaFile(paths.configSchemaFile);
  await createStateFile(join(paths.stateDir, '.gitignore'), STATE_GITIGNORE);
  const { workspaceRoot } = sources;
  const workspace = workspaceRoot === undefined ? {} : { workspace: { root: workspaceRoot } };
  const firstConfig = JSON.stringify({ ...FIRST_CONFIG, ...workspace }, null, 2);
  note(paths.configFile, await createStateFile(paths.configFile, `${firstConfig}\n`));
  const secrets = [
    ...(env.API_BEARER_TOKEN === undefined ? [paths.tokenFile] : []),
    ...(env.RUNTIME_SIGNATURE_SECRET === undefined ? [paths.signatureSecretFile] : []),
  ];
  for (const path of secrets) note(path, await createSecretFile(path));
  const loaded = await loadConfig({ ...sources, root: paths.root, env });
  note(loaded.workspaceDir, await createDirectory(loaded.workspaceDir));
  if (loaded.workspaceDir === paths.root) {
    await createDirectory(join(paths.root, '.claw'), DIRECTORY_MODE);
    await createStateFile(join(paths.root, '.claw', '.gitignore'), CLAW_GITIGNORE);
  }
  return {
    loaded,
    created,
    existing,
    warnings: await findLooseModes([paths.stateDir, paths.configFile, ...secrets]),
  };
}

/** What a restore has decided it has to finish: until then half of the state root may be elsewhere. */
function assertNoRestore({ root, restoreStagingDir }: StatePaths): void {
  if (!existsSync(join(restoreStagingDir, 'commit.json'))) return;
  throw new RuntimeError('conflict', `a restore into ${root} was cut off before its end`, {
    details: { fix: 'run the same claw restore again: it goes on where it stopped' },
  });
}

/** True when this call made it. */
async function createDirectory(path: string, mode?: number): Promise<boolean> {
  try {
    const first = await mkdir(path, { recursive: true, ...defined({ mode }) });
    return first !== undefined;
  } catch (cause) {
    throw toStorageFault('create', path, cause);
  }
}

/** Only reported: an operator who opened a file to a group may have meant it. */
async function findLooseModes(paths: readonly string[]): Promise<string[]> {
  if (process.platform === 'win32') return [];
  const warnings: string[] = [];
  for (const path of paths) {
    try {
      const { mode } = await stat(path);
      if ((mode & 0o007) !== 0)
        warnings.push(`${path} is open to other users: chmod o-rwx ${path}`);
    } catch (cause) {
      if (errnoOf(cause) !== 'ENOENT') throw toStorageFault('read', path, cause);
    }
  }
  return warnings;
}
