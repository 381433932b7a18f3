import { join } from 'node:path';
import type { LoadedConfig } from '../config/load-config.ts';
import { AUDIT_KEY_PATH } from '../core/records/record-paths.ts';
import type { OwnFile } from '../core/security/judge-files.ts';

/** What may be handed in from outside, as secrets of an orchestrator are, has to be readable and no more. */
export function listOwnFiles({ paths, secretFiles, credentials }: LoadedConfig): OwnFile[] {
  const secret = (path: string): OwnFile => ({ path, needs: 'read', isSecret: true });
  const written = (path: string): OwnFile => ({ path, needs: 'write', isSecret: false });
  const { databaseFile } = paths;
  const database = [databaseFile, `${databaseFile}-wal`, `${databaseFile}-shm`];
  return [
    written(paths.stateDir),
    { path: paths.configFile, needs: 'read', isSecret: false },
    secret(paths.tokenFile),
    secret(paths.signatureSecretFile),
    secret(paths.openclawDeviceFile),
    secret(join(paths.root, AUDIT_KEY_PATH)),
    secret(join(paths.stateDir, 'skill-signing.key')),
    secret(secretFiles.masterKey),
    secret(secretFiles.store),
    ...(credentials.databaseUrl === undefined ? database.map(written) : []),
  ];
}
