import { join, resolve } from 'node:path';
import type { Environment } from './environment.ts';

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
  readonly serverFile: string;
  readonly databaseFile: string;
  /** Held by the one server of this root. */
  readonly serverLockFile: string;
  /** Held by the one process that writes audit files and bundles. */
  readonly recordsLockFile: string;
}

export function toStatePaths(root: string): StatePaths {
  const absolute = resolve(root);
  const stateDir = join(absolute, '.openclawssy');
  return Object.freeze({
    root: absolute,
    stateDir,
    configFile: join(stateDir, 'config.json'),
    configBackupFile: join(stateDir, 'config.json.bak'),
    configSchemaFile: join(stateDir, 'config.schema.json'),
    configLockFile: join(stateDir, 'config.lock'),
    tokenFile: join(stateDir, 'token'),
    signatureSecretFile: join(stateDir, 'runtime-signature.secret'),
    serverFile: join(stateDir, 'server.json'),
    databaseFile: join(stateDir, 'pincer.db'),
    serverLockFile: join(stateDir, 'server.lock'),
    recordsLockFile: join(stateDir, 'records.lock'),
  });
}

/** A flag, then `CLAW_ROOT`, then the working directory. */
export function resolveRoot(flag: string | undefined, env: Environment): string {
  return resolve(flag ?? env.CLAW_ROOT ?? '.');
}
