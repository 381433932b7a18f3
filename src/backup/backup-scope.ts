import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { findAgentRoot } from '../assembly/assemble-agents.ts';
import { configWithoutSecrets } from '../config/config-without-secrets.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { STATE_FOLDER } from '../config/state-root/state-paths.ts';
import { RuntimeError } from '../core/errors.ts';
import { AUDIT_KEY_PATH } from '../core/records/record-paths.ts';
import { isInside } from '../platform/is-inside.ts';
import { type ListedEntry, listEntries } from '../storage/archive/list-entries.ts';
import { isBelow, isInWorkspace } from '../storage/archive/safe-path.ts';
import { snapshotSecrets } from './snapshot-secrets.ts';

export interface BackupChoice {
  readonly withWorkspace: boolean;
  readonly withSecrets: boolean;
}

export interface BackupScope {
  /** What is restored as wholes, relative to the root, with `/`. */
  readonly places: readonly string[];
  readonly workspace: string | undefined;
  readonly entries: readonly ListedEntry[];
  readonly leftOut: readonly string[];
}

const CLAW_FOLDER = '.claw';
const SKILL_KEY = 'skill-signing.key';
/** Held by processes, or half of something. */
const PASSING = /(\.lock|\.lock-journal|\.tmp)$/;

/** What a backup of this installation holds, as it is at this moment, its database apart. */
export async function findBackupScope(
  loaded: LoadedConfig,
  choice: BackupChoice,
): Promise<BackupScope> {
  const { root } = loaded.paths;
  const { inside, outside } = findSecretFiles(loaded);
  const workspace = choice.withWorkspace ? findWorkspace(loaded) : undefined;
  const agentRoot = findAgentRoot(loaded);
  const own = [
    STATE_FOLDER,
    CLAW_FOLDER,
    ...(agentRoot === root ? ['agents', 'souls'] : []),
    ...(choice.withSecrets ? inside : []),
    ...(workspace === undefined ? [] : await listWorkspacePlaces(root, workspace)),
  ];
  const places = dropNested(own);
  const isLeftOut = createFilter(loaded, choice);
  const keepsLinks = (path: string) => isInWorkspace(workspace ?? null, path);
  const listed = await listEntries({ root, places, isLeftOut, keepsLinks });
  const secrets = choice.withSecrets ? await snapshotSecrets(loaded, inside) : undefined;
  const entries = [...listed.entries, ...(secrets?.entries ?? [])];
  const found = new Set(entries.map(({ path }) => path));
  return {
    places: places.filter((place) => place === STATE_FOLDER || found.has(place)),
    workspace,
    entries: secrets ? entries : await withCleanConfig(loaded, entries),
    leftOut: [...listed.leftOut, ...(secrets ? [...secrets.leftOut, ...outside] : [])],
  };
}

/** The root itself is no place: what lies in it beside our own folders is. */
async function listWorkspacePlaces(root: string, workspace: string): Promise<string[]> {
  if (workspace !== '') return [workspace];
  return (await readdir(root)).filter((name) => !name.startsWith(STATE_FOLDER));
}

/** Of those inside each other the outer one is enough. */
function dropNested(places: readonly string[]): string[] {
  const distinct = [...new Set(places)];
  return distinct.filter(
    (place) => !distinct.some((other) => other !== place && isBelow(other, place)),
  );
}

function findSecretFiles({ paths, secretFiles }: LoadedConfig) {
  const files = [secretFiles.masterKey, `${secretFiles.masterKey}.next`, secretFiles.store];
  const isOurs = (file: string) => isInside(paths.root, file);
  return {
    inside: files.filter(isOurs).map((file) => toArchivePath(paths.root, file)),
    outside: files.filter((file) => !isOurs(file) && !file.endsWith('.next')),
  };
}

function findWorkspace({ paths, workspaceDir }: LoadedConfig): string {
  if (isInside(paths.root, workspaceDir)) return toArchivePath(paths.root, workspaceDir);
  const message = `the workspace ${workspaceDir} is outside the state root`;
  throw new RuntimeError('invalid_input', message, {
    details: { fix: 'back it up by itself, and leave --workspace out' },
  });
}

/** Says how far files are on this disk; those of the backup end earlier. The next head writes another. */
const ANCHOR = /^\.openclawssy\/agents\/[^/]+\/audit-head\.json$/;

function createFilter(loaded: LoadedConfig, { withSecrets }: BackupChoice) {
  const { paths, secretFiles } = loaded;
  const { databaseFile } = paths;
  const never = [
    ...[databaseFile, `${databaseFile}-wal`, `${databaseFile}-shm`, `${databaseFile}-journal`],
    ...[paths.serverFile, paths.backupStagingDir, paths.restoreStagingDir],
    // Taken together, at one moment.
    ...[secretFiles.masterKey, `${secretFiles.masterKey}.next`, secretFiles.store],
  ];
  const secret = [
    ...[paths.tokenFile, paths.signatureSecretFile, paths.configBackupFile],
    paths.openclawDeviceFile,
    join(paths.stateDir, SKILL_KEY),
    join(paths.root, AUDIT_KEY_PATH),
  ];
  const names = new Set(
    (withSecrets ? never : [...never, ...secret]).map((file) => toArchivePath(paths.root, file)),
  );
  return (path: string) =>
    names.has(path) || ANCHOR.test(path) || (isBelow(STATE_FOLDER, path) && PASSING.test(path));
}

async function withCleanConfig(
  { paths }: LoadedConfig,
  entries: readonly ListedEntry[],
): Promise<ListedEntry[]> {
  const configPath = toArchivePath(paths.root, paths.configFile);
  const isThere = entries.some(({ path }) => path === configPath);
  const content = isThere ? configWithoutSecrets(await readFile(paths.configFile, 'utf8')) : '';
  return entries.map((entry) => (entry.path === configPath ? { ...entry, content } : entry));
}

function toArchivePath(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}

/** Where agents can read is no place for the keys of the installation. Throws for such a place. */
export async function assertBackupPlace(loaded: LoadedConfig, file: string): Promise<void> {
  const folder = await realpath(dirname(file)).catch((cause: unknown) => {
    throw new RuntimeError('not_found', `there is no folder ${dirname(file)}`, {
      cause,
      details: { thing: 'folder', fix: 'make it, or choose another' },
    });
  });
  const place = join(folder, basename(file));
  const { paths, workspaceDir } = loaded;
  const taken = [workspaceDir, paths.stateDir, join(paths.root, CLAW_FOLDER)];
  const reals = await Promise.all(taken.map((path) => realpath(path).catch(() => path)));
  const around = [...taken, ...reals].find((path) => isInside(path, place));
  if (around === undefined) return;
  throw new RuntimeError('invalid_input', `${file} would lie in ${around}, which it is a copy of`, {
    details: { fix: 'choose a place outside the state root and the workspace' },
  });
}
