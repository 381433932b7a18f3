import { type BigIntStats, constants, type Dirent, fsync as fsyncWithCallback } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { takeTurn } from '../../../core/take-turn.ts';
import { errnoOf } from '../../../platform/errno-of.ts';
import { pathDenied, toFileError } from '../file-errors.ts';
import { type Looks, POOLED_LOOKS } from './looks.ts';
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
  readonly looks?: Looks;
}

const fsync = promisify(fsyncWithCallback);

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
  const { path, looks = POOLED_LOOKS } = options;
  const descriptor = await openDirectory(looks, lookupPath, path);
  try {
    const held = options.portable ? undefined : await findHeldPath(looks, descriptor);
    if (held !== undefined && held !== realPath) throw pathDenied(path, 'path_changed');
    const hasDescriptors = held !== undefined;
    const directory = createPinned({ descriptor, realPath, options, looks, hasDescriptors });
    await directory.verify();
    return directory;
  } catch (error) {
    await looks.close(descriptor);
    throw error;
  }
}

async function openDirectory(looks: Looks, lookupPath: string, path: string): Promise<number> {
  try {
    return await looks.open(lookupPath, DIRECTORY_FLAGS);
  } catch (error) {
    // The walk saw a directory here. O_NOFOLLOW with O_DIRECTORY says ENOTDIR for a link.
    throw errnoOf(error) === 'ENOTDIR'
      ? pathDenied(path, 'path_changed')
      : toFileError(error, path);
  }
}

/** The path the kernel knows for an open directory; undefined where there is no `/proc`. */
async function findHeldPath(looks: Looks, descriptor: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    return await looks.readlink(`${DESCRIPTORS}/${descriptor}`);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

interface Pin {
  readonly descriptor: number;
  readonly realPath: string;
  readonly options: PinOptions;
  readonly looks: Looks;
  readonly hasDescriptors: boolean;
}

/** Entries that are looked at before anybody else gets a turn. Opening a directory and closing it takes as long as ten. */
const ENTRIES_PER_TURN = 500;
const ENTRIES_PER_DIRECTORY = 10;

/** Of all directories together: a tree of many small ones takes as long as a large one. */
let entriesThisTurn = 0;

function pace(entries: number): Promise<void> | undefined {
  entriesThisTurn += entries;
  if (entriesThisTurn < ENTRIES_PER_TURN) return undefined;
  entriesThisTurn = 0;
  return takeTurn();
}

function createPinned(pinned: Pin): PinnedDirectory {
  const { descriptor, realPath, options, looks, hasDescriptors } = pinned;
  const { path } = options;
  const base = hasDescriptors ? `${DESCRIPTORS}/${descriptor}` : realPath;
  const at = (name: string) => `${base}/${name}`;

  async function verify() {
    if (hasDescriptors) return;
    const held = identityOf(await looks.fstat(descriptor));
    const named = await orMissing(() => looks.lstat(realPath));
    const resolved = await orMissing(() => looks.realpath(realPath));
    const isHeld = named !== undefined && identityOf(named) === held;
    const isStraight = resolved !== undefined && foldCase(resolved) === foldCase(realPath);
    if (!isHeld || !isStraight) throw pathDenied(path, 'path_changed');
  }

  async function verifyFile(file: FileHandle, name: string) {
    if (hasDescriptors) return;
    await verify();
    const opened = identityOf(await file.stat({ bigint: true }));
    const named = identityOf(await looks.lstat(at(name)));
    if (opened !== named) throw pathDenied(path, 'path_changed');
    await verify();
  }

  async function sync() {
    // Windows refuses to flush a directory and needs no flush to keep a rename.
    if (process.platform !== 'win32') await fsync(descriptor);
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
      try {
        const found = await readNames(looks, base, limit);
        await verify();
        return found;
      } catch (error) {
        throw toFileError(error, path);
      }
    },

    ...createNames({ at, verify, path, looks }),
    sync,
    close: async () => looks.close(descriptor),
  };
}

async function readNames(looks: Looks, base: string, limit: number) {
  const entries: Dirent[] = [];
  await pace(ENTRIES_PER_DIRECTORY);
  const directory = await looks.openEntries(base);
  try {
    for (;;) {
      const entry = await looks.nextEntry(directory);
      if (entry === null) return { entries, complete: true };
      if (entries.length === limit) return { entries, complete: false };
      entries.push(entry);
      const pause = pace(1);
      if (pause) await pause;
    }
  } finally {
    await looks.closeEntries(directory);
  }
}

async function orMissing<T>(look: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch {
    return undefined;
  }
}

interface Lookup {
  at(name: string): string;
  verify(): Promise<void>;
  readonly path: string;
  readonly looks: Looks;
}

type Names = Pick<PinnedDirectory, 'findEntry' | 'unlink' | 'removeEmptyDirectory' | 'rename'>;

function createNames({ at, verify, path, looks }: Lookup): Names {
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
        return await looks.lstat(at(name));
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
