import type { LoadedConfig } from './config/load-config.ts';
import type { Logger } from './core/log.ts';
import type { Storage } from './core/storage.ts';
import { openSqliteStorage } from './storage/sqlite/open-sqlite-storage.ts';
import { openServerLock } from './storage/sqlite/server-lock.ts';

/**
 * `server` takes every due run of the state root; `local` executes only what is submitted through it, beside a server
 * or without one.
 */
export type Role = 'server' | 'local';

/** Opens the engine that the configuration names; a server gets the state root for itself. */
export async function openStorage(
  loaded: LoadedConfig,
  role: Role,
  logger: Logger,
): Promise<Storage> {
  const { databaseUrl } = loaded.credentials;
  // Taken before anything is opened: a second server must not so much as migrate the database of the first.
  const lock = role === 'server' ? openServerLock(loaded.paths.serverLockFile) : undefined;
  try {
    const storage =
      databaseUrl === undefined
        ? await openEmbedded(loaded, role, logger)
        : await openPostgres(databaseUrl, logger);
    return { ...storage, close: () => storage.close().finally(() => lock?.close()) };
  } catch (error) {
    lock?.close();
    throw error;
  }
}

async function openPostgres(url: string, logger: Logger): Promise<Storage> {
  const { openPostgresStorage } = await import('./storage/postgres/open-postgres-storage.ts');
  return openPostgresStorage({ url, logger });
}

async function openEmbedded(loaded: LoadedConfig, role: Role, logger: Logger): Promise<Storage> {
  const file = loaded.paths.databaseFile;
  // A command has nothing else to do while the disk flushes, and a thread would cost it start time.
  const writer = role === 'server' ? 'thread' : 'inline';
  const storage = await openSqliteStorage({ file, writer, logger });
  // Whoever held a server's leases held its lock too, and is gone.
  if (role === 'server') await storage.runs.takeOver('server:');
  return storage;
}
