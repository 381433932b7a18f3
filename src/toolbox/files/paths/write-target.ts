import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, rename, unlink } from 'node:fs/promises';
import { RuntimeError } from '../../../core/errors.ts';
import { errnoOf } from '../../../platform/errno-of.ts';
import { fileFailed, fileMissing, pathDenied, showPath, toFileError } from '../file-errors.ts';
import { createTemporaryName } from '../temporary-name.ts';
import { identityOf } from './path-walk.ts';
import type { PinnedDirectory } from './pinned-directory.ts';

/**
 * The place of one file that is about to be replaced. Its directory is held open; the new content is written beside
 * the old and renamed over it, so readers and crashes see the one or the other, and a hard link to a file outside is
 * replaced by a file of our own instead of being written through.
 */
export interface WriteTarget {
  /** What is there now. */
  readonly existing: FileVersion | undefined;
  /** Opens what is there now; throws `not_found` when there is nothing. */
  openExisting(): Promise<FileHandle>;
  replace(content: Uint8Array, options: ReplaceOptions): Promise<void>;
  /** Adds to the end of the file as it is then, made if it is not there. */
  append(content: Uint8Array): Promise<AppendResult>;
  close(): Promise<void>;
}

interface ReplaceOptions {
  readonly signal: AbortSignal;
  /** Refuses with `conflict` when the file is no longer this version. */
  readonly ifUnchanged?: FileVersion;
}

/** `shared`: the file has further names, maybe outside; nothing was written, and `replace` is the way. */
type AppendResult = 'appended' | 'shared';

interface FileVersion {
  readonly identity: string;
  readonly mtimeNs: bigint;
  readonly size: bigint;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

const NEW_FILE_MODE = 0o600;
const PERMISSION_BITS = 0o777;
const ANY_WRITE_BIT = 0o222;

export interface WriteTargetOptions {
  readonly name: string;
  /** As the caller gave it, for messages. */
  readonly path: string;
  /** Called when the target is closed. */
  readonly release: () => void;
}

/** Takes over `directory`: it is closed with the target, and when there is to be none. */
export async function openWriteTarget(
  directory: PinnedDirectory,
  { name, path, release }: WriteTargetOptions,
): Promise<WriteTarget> {
  const existing = await findWritable(directory, name, path).catch(async (error: unknown) => {
    await directory.close();
    throw error;
  });
  return {
    existing,

    async openExisting() {
      if (existing === undefined) throw fileMissing(path);
      const handle = await directory.openFile(name, constants.O_RDONLY);
      if ((await handle.stat()).isFile()) return handle;
      await handle.close();
      throw pathDenied(path, 'special_file');
    },

    async replace(content, { signal, ifUnchanged }) {
      const temporary = createTemporaryName();
      try {
        await writeTemporary({ directory, temporary, content, existing });
        signal.throwIfAborted();
        const now = await findVersion(directory, name, path);
        if (ifUnchanged !== undefined && !isSameVersion(ifUnchanged, now)) {
          throw new RuntimeError('conflict', `${showPath(path)} was changed by somebody else`, {
            details: { path: showPath(path) },
          });
        }
        await directory.verify();
        await rename(directory.at(temporary), directory.at(name));
      } catch (error) {
        await unlink(directory.at(temporary)).catch(() => {});
        throw toFileError(error, path);
      }
      await directory.sync();
    },

    append: (content) => appendTo({ directory, name, path }, content),

    async close() {
      release();
      await directory.close();
    },
  };
}

interface NamedFile {
  readonly directory: PinnedDirectory;
  readonly name: string;
  readonly path: string;
}

/**
 * In place, because others may hold the file open: a program that writes a log would go on writing to a file that
 * was replaced under it.
 */
async function appendTo(file: NamedFile, content: Uint8Array): Promise<AppendResult> {
  const { directory, name, path } = file;
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
  const handle = await directory.openFile(name, flags, NEW_FILE_MODE);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw pathDenied(path, 'special_file');
    if (stats.nlink > 1) return 'shared';
    await handle.writeFile(content);
    await handle.sync();
  } catch (error) {
    throw toFileError(error, path);
  } finally {
    await handle.close();
  }
  await directory.sync();
  return 'appended';
}

async function findWritable(directory: PinnedDirectory, name: string, path: string) {
  const existing = await findVersion(directory, name, path);
  if (existing !== undefined && (existing.mode & ANY_WRITE_BIT) === 0) {
    throw fileFailed(path, 'read_only', 'is read-only');
  }
  return existing;
}

interface TemporaryFile {
  readonly directory: PinnedDirectory;
  readonly temporary: string;
  readonly content: Uint8Array;
  readonly existing: FileVersion | undefined;
}

async function writeTemporary({ directory, temporary, content, existing }: TemporaryFile) {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const handle = await directory.openFile(temporary, flags, NEW_FILE_MODE);
  try {
    await handle.writeFile(content);
    if (existing !== undefined) {
      await keepOwner(handle, existing);
      await handle.chmod(existing.mode & PERMISSION_BITS);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A runtime that runs as root must not take files away from their owner; one that does not has no choice. */
async function keepOwner(handle: FileHandle, existing: FileVersion): Promise<void> {
  const made = await handle.stat();
  if (made.uid === existing.uid && made.gid === existing.gid) return;
  await handle.chown(existing.uid, existing.gid).catch((error: unknown) => {
    if (errnoOf(error) !== 'EPERM') throw error;
  });
}

async function findVersion(
  directory: PinnedDirectory,
  name: string,
  path: string,
): Promise<FileVersion | undefined> {
  const found = await directory.findEntry(name);
  if (found === undefined) return undefined;
  // Links on the path were resolved by the walk, so this one is new.
  if (found.isSymbolicLink()) throw pathDenied(path, 'path_changed');
  if (found.isDirectory()) throw fileFailed(path, 'is_directory', 'is a directory');
  if (!found.isFile()) throw pathDenied(path, 'special_file');
  return toVersion(found);
}

function toVersion(stats: BigIntStats): FileVersion {
  return {
    identity: identityOf(stats),
    mtimeNs: stats.mtimeNs,
    size: stats.size,
    mode: Number(stats.mode),
    uid: Number(stats.uid),
    gid: Number(stats.gid),
  };
}

function isSameVersion(before: FileVersion, now: FileVersion | undefined): boolean {
  return (
    now !== undefined &&
    now.identity === before.identity &&
    now.mtimeNs === before.mtimeNs &&
    now.size === before.size
  );
}
