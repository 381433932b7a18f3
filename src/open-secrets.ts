import { existsSync, mkdirSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { LoadedConfig } from './config/load-config.ts';
import { systemClock } from './core/clock.ts';
import { RuntimeError, toRuntimeError } from './core/errors.ts';
import type { Logger } from './core/log.ts';
import type { SecretPlace } from './core/secrets/secret-place.ts';
import { DIRECTORY_MODE } from './platform/owner-only.ts';
import {
  openSealedSecrets,
  type SealedSecrets,
} from './storage/files/secrets/open-sealed-secrets.ts';
import { createSecretFilePlace } from './storage/files/secrets/secret-file-place.ts';
import { tryFileLock } from './storage/sqlite/file-lock.ts';

type SecretSettings = Pick<LoadedConfig, 'secretFiles' | 'credentials'>;

/**
 * The secrets of a state root: in the database that it shares with other nodes, else in its own file. Nothing is created
 * before the first secret is.
 */
export async function openSecrets(
  settings: SecretSettings,
  logger: Logger,
  shared?: SecretPlace,
): Promise<SealedSecrets> {
  if (shared !== undefined) await takeOverFile(settings, shared, logger);
  const place = shared ?? createSecretFilePlace(settings.secretFiles.store);
  return blameService(await openSealed(settings, logger, place), place);
}

/** What lies in a place, under the master key of the state root. */
export function openSealed(
  { secretFiles, credentials }: SecretSettings,
  logger: Logger,
  place: SecretPlace,
): Promise<SealedSecrets> {
  return openSealedSecrets({
    place,
    masterKeyFile: secretFiles.masterKey,
    masterKey: credentials.masterKey,
    tryLock() {
      mkdirSync(dirname(secretFiles.store), { recursive: true, mode: DIRECTORY_MODE });
      return tryFileLock(`${secretFiles.store}.lock`);
    },
    clock: systemClock,
    logger,
  });
}

export interface OwnSecrets extends SealedSecrets {
  close(): Promise<void>;
}

/** The same without a runtime around it: for commands that need nothing else. */
export async function openOwnSecrets(loaded: LoadedConfig, logger: Logger): Promise<OwnSecrets> {
  const { databaseUrl } = loaded.credentials;
  if (databaseUrl === undefined) {
    return { ...(await openSecrets(loaded, logger)), close: async () => {} };
  }
  const { openPostgresStorage } = await import('./storage/postgres/open-postgres-storage.ts');
  const storage = await openPostgresStorage({ url: databaseUrl, logger });
  try {
    const secrets = await openSecrets(loaded, logger, storage.secretPlace);
    return { ...secrets, close: () => storage.close() };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

const TAKEN_OVER = '.taken-over';

/**
 * A node that had secrets of its own before it shared a database brings them along, unless there are some already.
 * Throws, and changes nothing, when it can't open them itself: no node could then.
 */
async function takeOverFile(
  settings: SecretSettings,
  shared: SecretPlace,
  logger: Logger,
): Promise<void> {
  const file = settings.secretFiles.store;
  if (!existsSync(file)) return;
  const { mark, text } = await shared.read();
  if (text === undefined) {
    await openSealed(settings, logger, createSecretFilePlace(file));
    if (await shared.replace(await readFile(file, 'utf8'), mark)) {
      await rename(file, `${file}${TAKEN_OVER}`);
      logger.info({ file }, 'the secrets of this node are in the shared database now');
      return;
    }
  }
  logger.warn(
    { file },
    `${file} is not used: the secrets are in the shared database; store there what it still lacks and move the file away`,
  );
}

/** Secrets that open at the start and no longer later put the process out of service; no caller made that mistake. */
function blameService(secrets: SealedSecrets, place: SecretPlace): SealedSecrets {
  async function blame<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (thrown) {
      const error = toRuntimeError(thrown);
      if (error.code !== 'config_invalid') throw error;
      throw new RuntimeError(
        'storage_unavailable',
        `this node can't open the secrets in ${place.name}, so that it would not know what to strike from its records: ${error.message}`,
        { cause: error, retryable: false, ...(error.details && { details: error.details }) },
      );
    }
  }
  return {
    ...secrets,
    list: () => blame(secrets.list()),
    find: (name) => blame(secrets.find(name)),
    put: (name, value) => blame(secrets.put(name, value)),
    remove: (name) => blame(secrets.remove(name)),
    refresh: () => blame(secrets.refresh()),
  };
}
