import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Where everything lies under a state root. No schema library here: commands that only look things up start fast. */
export interface StatePaths {
  readonly root: string;
  readonly stateDir: string;
  readonly configFile: string;
  readonly configBackupFile: string;
  readonly configSchemaFile: string;
  /** Held while the config file is changed. */
  readonly configLockFile: string;
  readonly tokenFile: string;
  readonly signatureSecretFile: string;
  /** Who this installation is to OpenClaw gateways. */
  readonly openclawDeviceFile: string;
  readonly serverFile: string;
  readonly databaseFile: string;
  /** Which database the server works on, so that commands work on no other. */
  readonly storageFile: string;
  /** When all records were verified last, and what came of it. */
  readonly auditMarkFile: string;
  /** When the last backup was made, and where. */
  readonly backupMarkFile: string;
  /** Held by the one backup of this root. */
  readonly backupLockFile: string;
  /** Where a backup puts what it needs for itself; nothing in it outlives it. */
  readonly backupStagingDir: string;
  /** Beside the state folder: where a restore gathers everything before it takes its place. */
  readonly restoreStagingDir: string;
  /** Held by the one server of this root. */
  readonly serverLockFile: string;
  /** Held by the one process that writes audit files and bundles. */
  readonly recordsLockFile: string;
}

export function toStatePaths(root: string): StatePaths {
  const absolute = resolve(root);
  const stateDir = join(absolute, STATE_FOLDER);
  return Object.freeze({
    root: absolute,
    stateDir,
    configFile: join(stateDir, 'config.json'),
    configBackupFile: join(stateDir, 'config.json.bak'),
    configSchemaFile: join(stateDir, 'config.schema.json'),
    configLockFile: join(stateDir, 'config.lock'),
    tokenFile: join(stateDir, 'token'),
    signatureSecretFile: join(stateDir, 'runtime-signature.secret'),
    openclawDeviceFile: join(stateDir, 'openclaw-device.json'),
    serverFile: join(stateDir, 'server.json'),
    databaseFile: join(stateDir, 'pincer.db'),
    storageFile: join(stateDir, 'storage.json'),
    auditMarkFile: join(stateDir, 'last-audit-check.json'),
    backupMarkFile: join(stateDir, 'last-backup.json'),
    backupLockFile: join(stateDir, 'backup.lock'),
    backupStagingDir: join(stateDir, 'backup.tmp'),
    restoreStagingDir: join(absolute, `${STATE_FOLDER}.restore`),
    serverLockFile: join(stateDir, 'server.lock'),
    recordsLockFile: join(stateDir, 'records.lock'),
  });
}

export interface StateRoot {
  /** Absolute. */
  readonly path: string;
  /** Who named it; `above` is the nearest folder upwards that is one. */
  readonly from: 'flag' | 'environment' | 'working_directory' | 'above';
}

export const STATE_FOLDER = '.openclawssy';

/** Nearest first. With an owner, one that somebody else made is passed by: it names programs that would be started. */
export function findRootAbove(path: string, ownerId?: number): string | undefined {
  for (let below = path, at = dirname(path); at !== below; below = at, at = dirname(at)) {
    if (isStateRoot(at, ownerId)) return at;
  }
  return undefined;
}

export function isStateRoot(path: string, ownerId?: number): boolean {
  try {
    const found = statSync(join(path, STATE_FOLDER), { throwIfNoEntry: false });
    return found?.isDirectory() === true && (ownerId === undefined || found.uid === ownerId);
  } catch {
    // A folder that can't be looked into is no place to work in either.
    return false;
  }
}
