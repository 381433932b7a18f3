import type { LoadedConfig } from './config/load-config.ts';
import { systemClock } from './core/clock.ts';
import type { Logger } from './core/log.ts';
import { openSecretFile, type SecretFile } from './storage/files/open-secret-file.ts';
import { tryFileLock } from './storage/sqlite/file-lock.ts';

/** The secret store of a state root. Nothing is created before the first secret is. */
export function openSecrets(
  { secretFiles, credentials }: Pick<LoadedConfig, 'secretFiles' | 'credentials'>,
  logger: Logger,
): Promise<SecretFile> {
  const { store, masterKey } = secretFiles;
  return openSecretFile({
    file: store,
    masterKeyFile: masterKey,
    masterKey: credentials.masterKey,
    tryLock: () => tryFileLock(`${store}.lock`),
    clock: systemClock,
    logger,
  });
}
