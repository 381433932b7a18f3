import { randomUUID } from 'node:crypto';
import { openInOrder } from './closing-list.ts';
import type { LoadedConfig } from './config/load-config.ts';
import {
  findFormerStorage,
  leaveStorageMark,
  noteRefusedMove,
} from './config/state-root/storage-mark.ts';
import type { Logger } from './core/log.ts';
import { assertNothingLost } from './core/records/assert-nothing-lost.ts';
import type { Storage } from './core/storage.ts';
import { createAuditReader } from './storage/files/create-audit-reader.ts';
import { openNodeId } from './storage/files/node-id.ts';
import {
  openSqliteStorage,
  type SqliteStorageConfig,
} from './storage/sqlite/open-sqlite-storage.ts';
import { openServerLock } from './storage/sqlite/server-lock.ts';

/**
 * `server` takes every due run of the state root; `local` executes only what is submitted through it, beside a server
 * or without one.
 */
export type Role = 'server' | 'local';

export interface StorageUse {
  readonly role: Role;
  /** How an embedded store commits; as the role needs it when absent. */
  readonly writer?: SqliteStorageConfig['writer'] | undefined;
}

export interface OpenedStorage extends Storage {
  /** Names this process in the leases of its runs. */
  readonly leaseOwner: string;
  /** Of an embedded store that commits in a thread: other threads may read it meanwhile. */
  readonly threadedFile: string | undefined;
}

/** Opens the engine that the configuration names; a server gets the state root for itself. */
export async function openStorage(
  loaded: LoadedConfig,
  use: StorageUse,
  logger: Logger,
): Promise<OpenedStorage> {
  const isServer = use.role === 'server';
  return openInOrder(async (closing) => {
    if (isServer) {
      // Taken before anything is opened: a second server must not so much as migrate the database of the first.
      const lock = openServerLock(loaded.paths.serverLockFile);
      closing.add(() => lock.close());
    }
    const { storage, node = '', threadedFile } = await openEngine(loaded, use, logger);
    closing.add(() => storage.close());
    const name = isServer ? `server:${node}:` : 'local:';
    // Whoever held leases under this root's name held its lock too, and is gone.
    if (isServer) await storage.runs.takeOver(name);
    return {
      ...storage,
      threadedFile,
      leaseOwner: `${name}${process.pid}:${randomUUID().slice(0, 8)}`,
      close: () => closing.close(0),
    };
  });
}

/** Refuses a store that lacks what the state root knows. A move to it is noted then, and the data stays where it is. */
export async function assertWhole(
  { paths, credentials }: LoadedConfig,
  storage: Storage,
  logger: Logger,
): Promise<void> {
  const { databaseUrl } = credentials;
  const former = await findFormerStorage(paths, databaseUrl);
  const files = createAuditReader({ root: paths.root });
  try {
    await assertNothingLost({ records: storage.records, files, former }, logger);
  } catch (error) {
    if (former !== undefined) await noteRefusedMove(paths, databaseUrl);
    throw error;
  }
}

/** Commands find it and work on the same data. */
export async function leaveMark(
  { paths, credentials }: LoadedConfig,
  logger: Logger,
): Promise<void> {
  const before = await leaveStorageMark(paths, credentials.databaseUrl);
  if (before === undefined) return;
  logger.warn(
    {},
    `this state root has moved to another database: what is in ${before} stays there`,
  );
}

interface OpenedEngine {
  readonly storage: Storage;
  /** What this state root is called among others. An embedded store has no other servers. */
  readonly node?: string;
  readonly threadedFile?: string | undefined;
}

async function openEngine(
  loaded: LoadedConfig,
  use: StorageUse,
  logger: Logger,
): Promise<OpenedEngine> {
  const { databaseUrl } = loaded.credentials;
  if (databaseUrl === undefined) return openEmbedded(loaded, use, logger);
  const node = await openNodeId(loaded.paths.root);
  return { storage: await openPostgres(databaseUrl, { role: use.role, node }, logger), node };
}

interface Opening {
  readonly role: Role;
  readonly node: string;
}

async function openPostgres(
  url: string,
  { role, node }: Opening,
  logger: Logger,
): Promise<Storage> {
  const { openPostgresStorage } = await import('./storage/postgres/open-postgres-storage.ts');
  return openPostgresStorage({ url, node, isServer: role === 'server', logger });
}

async function openEmbedded(
  { paths: { databaseFile: file } }: LoadedConfig,
  use: StorageUse,
  logger: Logger,
): Promise<OpenedEngine> {
  // A command has nothing else to do while the disk flushes, and a thread would cost it start time.
  const writer = use.writer ?? (use.role === 'server' ? 'thread' : 'inline');
  const storage = await openSqliteStorage({ file, writer, logger });
  return { storage, threadedFile: writer === 'thread' ? file : undefined };
}
