import { type BigIntStats, constants, type Dirent } from 'node:fs';
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  opendir,
  readlink,
  realpath,
  rename,
  rmdir,
  unlink,
} from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../../../platform/errno-of.ts';
import { pathDenied, toFileError } from '../file-errors.ts';
import { identityOf } from './path-walk.ts';

/**
 * A directory held open. Names are looked up inside the directory itself and not along its path again, so a link put
 * in place of one of its parents after the check leads nowhere.
 *
 * Linux gives us that through `/proc/self/fd/N/name`. Elsewhere names are looked up by path, and the path is proved
 * afterwards to lead to the held directory and the opened file. That finds a swapped link, but a writer who swaps back
 * and forth could slip between two proofs; where untrusted programs run beside the tools, run on Linux.
 */
export interface PinnedDirectory {
  /** A path for `name` that resolves within this directory. */
  at(name: string): string;
  /** Throws when the directory is no longer what its path says. */
  verify(): Promise<void>;
  openFile(name: string, flags: number, mode?: number): Promise<FileHandle>;
  openChild(name: string): Promise<PinnedDirectory>;
  /** Opens a child directory, durably made if it is not there. */
  openNewChild(name: string): Promise<PinnedDirectory>;
  /** What `name` is, itself and not what it links to. */
  findEntry(name: string): Promise<BigIntStats | undefined>;
  /** Removes a file or a link, never what the link leads to. */
  unlink(name: string): Promise<void>;
  /** Removes a directory that is empty. */
  removeEmptyDirectory(name: string): Promise<void>;
  /** Replaces what `to` names in the target, if the file system lets it. */
  rename(name: string, target: PinnedDirectory, to: string): Promise<void>;
  /** At most `limit` entries, in no order. */
  readEntries(
    limit: number,
  ): Promise<{ readonly entries: readonly Dirent[]; readonly complete: boolean }>;
  /** Makes renames and new names in it durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface PinOptions {
  /** The path as the caller gave it, for messages. */
  readonly path: string;
  /** Proves by path even where `/proc` could do better. */
  readonly portable?: boolean;
}

const DESCRIPTORS = '/proc/self/fd';
const DIRECTORY_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
// Without O_NONBLOCK a FIFO that appears at the last moment would hang a thread for ever.
const FILE_FLAGS = constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const NEW_DIRECTORY_MODE = 0o700;

/** Opens `realPath`, which must be free of links, and proves that this is the directory it names. */
export async function openPinnedDirectory(
  realPath: string,
  options: PinOptions,
): Promise<PinnedDirectory> {
  return pin(realPath, realPath, options);
}

async function pin(
  lookupPath: string,
  realPath: string,
  options: PinOptions,
): Promise<PinnedDirectory> {
  const { path } = options;
  const handle = await open(lookupPath, DIRECTORY_FLAGS).catch((error: unknown) => {
    // The walk saw a directory here. O_NOFOLLOW with O_DIRECTORY says ENOTDIR for a link.
    throw errnoOf(error) === 'ENOTDIR'
      ? pathDenied(path, 'path_changed')
      : toFileError(error, path);
  });
  try {
    const held = options.portable ? undefined : await findHeldPath(handle);
    if (held !== undefined && held !== realPath) throw pathDenied(path, 'path_changed');
    const directory = createPinned({
      handle,
      realPath,
      options,
      hasDescriptors: held !== undefined,
    });
    await directory.verify();
    return directory;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The path the kernel knows for an open directory; undefined where there is no `/proc`. */
async function findHeldPath(handle: FileHandle): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    return await readlink(`${DESCRIPTORS}/${handle.fd}`);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

interface Pin {
  readonly handle: FileHandle;
  readonly realPath: string;
  readonly options: PinOptions;
  readonly hasDescriptors: boolean;
}

function createPinned({ handle, realPath, options, hasDescriptors }: Pin): PinnedDirectory {
  const { path } = options;
  const base = hasDescriptors ? `${DESCRIPTORS}/${handle.fd}` : realPath;
  const at = (name: string) => `${base}/${name}`;

  async function verify() {
    if (hasDescriptors) return;
    const held = identityOf(await handle.stat({ bigint: true }));
    const named = await lstat(realPath, { bigint: true }).catch(() => undefined);
    const resolved = await realpath(realPath).catch(() => undefined);
    const isHeld = named !== undefined && identityOf(named) === held;
    const isStraight = resolved !== undefined && foldCase(resolved) === foldCase(realPath);
    if (!isHeld || !isStraight) throw pathDenied(path, 'path_changed');
  }

  async function verifyFile(file: FileHandle, name: string) {
    if (hasDescriptors) return;
    await verify();
    const opened = identityOf(await file.stat({ bigint: true }));
    const named = identityOf(await lstat(at(name), { bigint: true }));
    if (opened !== named) throw pathDenied(path, 'path_changed');
    await verify();
  }

  async function sync() {
    // Windows refuses to flush a directory and needs no flush to keep a rename.
    if (process.platform !== 'win32') await handle.sync();
  }

  return {
    at,
    verify,

    async openFile(name, flags, mode) {
      try {
        const file = await open(at(name), flags | FILE_FLAGS, mode);
        await verifyFile(file, name).catch(async (error: unknown) => {
          await file.close();
          throw error;
        });
        return file;
      } catch (error) {
        throw toFileError(error, path);
      }
    },

    openChild: (name) => pin(at(name), join(realPath, name), options),

    async openNewChild(name) {
      await makeDirectory(at(name), path);
      await sync();
      return pin(at(name), join(realPath, name), options);
    },

    async readEntries(limit) {
      const entries: Dirent[] = [];
      let complete = true;
      try {
        for await (const entry of await opendir(base)) {
          complete = entries.length < limit;
          if (!complete) break;
          entries.push(entry);
        }
        await verify();
      } catch (error) {
        throw toFileError(error, path);
      }
      return { entries, complete };
    },

    ...createNames({ at, verify, path }),
    sync,
    close: () => handle.close(),
  };
}

interface Lookup {
  at(name: string): string;
  verify(): Promise<void>;
  readonly path: string;
}

type Names = Pick<PinnedDirectory, 'findEntry' | 'unlink' | 'removeEmptyDirectory' | 'rename'>;

function createNames({ at, verify, path }: Lookup): Names {
  async function change(action: () => Promise<void>) {
    try {
      await verify();
      await action();
    } catch (error) {
      throw toFileError(error, path);
    }
  }

  return {
    async findEntry(name) {
      try {
        return await lstat(at(name), { bigint: true });
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') return undefined;
        throw toFileError(error, path);
      }
    },

    unlink: (name) => change(() => unlink(at(name))),
    removeEmptyDirectory: (name) => change(() => rmdir(at(name))),

    async rename(name, target, to) {
      await target.verify();
      await change(() => rename(at(name), target.at(to)));
    },
  };
}

/** Case-insensitive systems answer with the name on the disk, not with the one that was asked for. */
function foldCase(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

async function makeDirectory(location: string, path: string): Promise<void> {
  try {
    await mkdir(location, { mode: NEW_DIRECTORY_MODE });
  } catch (error) {
    // Somebody else made it, or something else: opening it as a directory tells.
    if (errnoOf(error) !== 'EEXIST') throw toFileError(error, path);
  }
}
