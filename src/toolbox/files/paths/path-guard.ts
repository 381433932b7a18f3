import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { RuntimeError } from '../../../core/errors.ts';
import { fileFailed, fileMissing, pathDenied, showPath } from '../file-errors.ts';
import { createKeyLock } from '../key-lock.ts';
import { type MoveRequest, type MoveResult, moveEntry } from '../move-entry.ts';
import { type RemoveOptions, type RemoveResult, removeEntry } from '../remove-entry.ts';
import { createStaleTemporaries } from '../stale-temporaries.ts';
import type { Entry, EntryAccess, HolderOptions } from './entry-access.ts';
import { createFindLooks, type FindLooks, POOLED_LOOKS } from './looks.ts';
import { isControlFile, isGitName, splitSegments } from './path-names.ts';
import {
  type Boundary,
  findBoundary,
  type Place,
  type WalkOptions,
  walkPath,
} from './path-walk.ts';
import { openPinnedDirectory, type PinnedDirectory } from './pinned-directory.ts';
import { openWriteTarget, type WriteTarget } from './write-target.ts';

/**
 * The only way from a path that a model wrote to the disk. Refusals are `policy_denied` with `{ path, reason }`.
 *
 * - Every component is checked, links are followed by hand, and nothing outside the workspace is even looked at.
 * - What is opened is proved at open time to be what was checked (see PinnedDirectory).
 * - `.openclawssy`, `.claw` and the reserved directories are unreachable, and so are control files.
 * - What git keeps of its own can be read and not written: its settings name programs that git runs.
 * - Hard links cannot be told from files. Reading one is allowed: who made it inside the workspace could read the
 *   file already. Writing replaces the link (see WriteTarget), so the file outside never changes.
 */
export interface PathGuard {
  /** Where a path leads now. For decisions and messages; to use the file, open it here. */
  resolveForRead(path: string): Promise<ResolvedPath>;
  resolveForWrite(path: string): Promise<ResolvedPath>;
  /**
   * The one spelling of a path, whether it may be used or not: real, from the workspace. `asEntry` keeps a link in
   * last place as it is. What leads nowhere is only tidied up.
   */
  spell(path: string, options?: WalkOptions): Promise<string>;
  /** Whether more may lie below a path. What must not be looked at may hold anything. */
  isDirectory(path: string, options?: WalkOptions): Promise<boolean>;
  /** Opens a regular file; the caller closes the handle. */
  openForRead(path: string): Promise<OpenedFile>;
  openDirectory(path: string): Promise<OpenedDirectory>;
  /** Waits for other writers of this guard to close the same file first. */
  openForWrite(path: string, options?: OpenForWriteOptions): Promise<WriteTarget>;
  /** Removes a file, a link itself, or a directory with all that is in it; never the workspace. */
  remove(path: string, options: RemoveOptions): Promise<RemoveResult>;
  /** Gives a file, a link itself, or a directory another path; never replaces a directory. */
  move(request: MoveRequest): Promise<MoveResult>;
  /** The same guard where a folder of the workspace is the workspace: two writers of one file still wait for each other. */
  within(root: string): PathGuard;
}

interface ResolvedPath {
  readonly realPath: string;
  /** From the workspace, with `/`; `.` for the workspace itself. */
  readonly relativePath: string;
  readonly kind: 'file' | 'directory' | 'missing';
}

interface OpenedFile extends ResolvedPath {
  readonly handle: FileHandle;
  readonly sizeBytes: number;
}

interface OpenedDirectory extends ResolvedPath {
  readonly directory: PinnedDirectory;
}

interface OpenForWriteOptions {
  /** Makes missing directories on the way, each with mode 0700. */
  readonly createParents?: boolean;
}

export interface PathGuardConfig {
  /** The workspace. */
  readonly root: string;
  /** Absolute directories that no tool may reach, whatever they are called. */
  readonly reserved: readonly string[];
  /** Uses the checks of systems without `/proc` everywhere. */
  readonly portable?: boolean;
  /** The clock that file times are compared with. */
  readonly nowMs?: () => number;
}

export function createPathGuard(config: PathGuardConfig): PathGuard {
  return guardWith(config, {
    // Two edits of one file at once would each be made to the text before the other.
    writers: createKeyLock(),
    temporaries: createStaleTemporaries(config.nowMs ?? Date.now),
    findLooks: config.portable ? () => POOLED_LOOKS : createFindLooks(),
  });
}

interface Shared {
  readonly writers: ReturnType<typeof createKeyLock>;
  readonly temporaries: ReturnType<typeof createStaleTemporaries>;
  readonly findLooks: FindLooks;
}

function guardWith(config: PathGuardConfig, shared: Shared): PathGuard {
  const { writers, temporaries } = shared;
  const { findEdges, pin } = lookFrom(config, shared.findLooks);

  async function walk(path: string, options?: WalkOptions): Promise<Entry> {
    const boundary = await findEdges();
    const place = await walkPath(path, boundary, options);
    // Both names: a link may carry the one and lead to the other.
    const names = [splitSegments(path).at(-1) ?? '', place.name];
    if (names.some(isControlFile)) throw pathDenied(path, 'control_file');
    return { place, boundary };
  }

  const walkToWrite = async (path: string, options?: WalkOptions) =>
    outsideGit(path, await walk(path, options));

  async function walkToExisting(path: string) {
    const { place, boundary } = await walk(path);
    if (place.stat === undefined) throw fileMissing(path);
    return { place, resolved: toResolved(place, boundary) };
  }

  async function openHolder(place: Place, { path, createParents = false }: HolderOptions) {
    if (place.missingDirectories.length > 0 && !createParents) throw parentMissing(path);
    return openNewDirectories(await pin(place.directory, path), place);
  }

  async function locate(path: string): Promise<Entry> {
    const entry = await walkToWrite(path, { asEntry: true });
    if (entry.place.realPath === entry.boundary.roots.real) {
      throw pathDenied(path, 'workspace_root');
    }
    return entry;
  }

  const access: EntryAccess = { locate, openHolder, writers };

  return {
    async resolveForRead(path) {
      return (await walkToExisting(path)).resolved;
    },

    async resolveForWrite(path) {
      const { place, boundary } = await walkToWrite(path);
      return toResolved(place, boundary);
    },

    spell: (path, options) => spellPath(path, { root: config.root, findEdges }, options),
    isDirectory: (path, options) => mayHoldMore(path, findEdges, options),

    async openForRead(path) {
      const { place, resolved } = await walkToExisting(path);
      if (resolved.kind === 'directory') {
        throw fileFailed(path, 'is_directory', 'is a directory; use fs.list');
      }
      const directory = await pin(place.directory, path);
      try {
        const handle = await directory.openFile(place.name, constants.O_RDONLY);
        return { ...resolved, handle, sizeBytes: await regularSize(handle, path) };
      } finally {
        await directory.close();
      }
    },

    async openDirectory(path) {
      const { place, resolved } = await walkToExisting(path);
      if (resolved.kind !== 'directory') {
        throw fileFailed(path, 'not_a_directory', 'is not a directory; use fs.read');
      }
      return { ...resolved, directory: await pin(place.realPath, path) };
    },

    async openForWrite(path, { createParents = false } = {}) {
      const { place } = await walkToWrite(path);
      if (place.stat?.isDirectory()) throw fileFailed(path, 'is_directory', 'is a directory');
      const release = await writers.acquire(place.realPath);
      try {
        const directory = await openHolder(place, { path, createParents });
        await temporaries.sweep(directory, dirname(place.realPath));
        return await openWriteTarget(directory, { name: place.name, path, release });
      } catch (error) {
        release();
        throw error;
      }
    },

    remove: (path, options) => removeEntry(access, path, options),
    move: (request) => moveEntry(access, request),
    within: (root) => guardWith({ ...config, root }, shared),
  };
}

function lookFrom({ root, reserved, portable = false }: PathGuardConfig, findLooks: FindLooks) {
  return {
    // Found anew for each call: the workspace may be created, and a link to it changed, while the server runs.
    findEdges: async () => findBoundary(root, reserved, await findLooks(root)),

    pin: async (realPath: string, path: string) =>
      openPinnedDirectory(realPath, { path, portable, looks: await findLooks(root) }),
  };
}

function outsideGit(path: string, entry: Entry): Entry {
  const { relativePath } = toResolved(entry.place, entry.boundary);
  const names = [...splitSegments(path), ...relativePath.split('/')];
  if (names.some(isGitName)) throw pathDenied(path, 'git_directory');
  return entry;
}

interface Edges {
  readonly root: string;
  readonly findEdges: () => Promise<Boundary>;
}

async function spellPath(
  path: string,
  { root, findEdges }: Edges,
  options?: WalkOptions,
): Promise<string> {
  const bare = path.replace(/(?<=.)\/+$/, '');
  try {
    const boundary = await findEdges();
    return toResolved(await walkPath(bare, boundary, options), boundary).relativePath;
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    const inside = relative(resolve(root), resolve(root, bare)).split(sep).join('/');
    return inside === '' ? '.' : inside;
  }
}

async function mayHoldMore(
  path: string,
  findEdges: Edges['findEdges'],
  options?: WalkOptions,
): Promise<boolean> {
  try {
    const { stat } = await walkPath(path, await findEdges(), options);
    return stat?.isDirectory() ?? false;
  } catch (error) {
    if (error instanceof RuntimeError) return true;
    throw error;
  }
}

function toResolved(place: Place, { roots }: Boundary): ResolvedPath {
  const relativePath = relative(roots.real, place.realPath).split(sep).join('/');
  return {
    realPath: place.realPath,
    relativePath: relativePath === '' ? '.' : relativePath,
    kind: place.stat === undefined ? 'missing' : place.stat.isDirectory() ? 'directory' : 'file',
  };
}

async function regularSize(handle: FileHandle, path: string): Promise<number> {
  const stats = await handle.stat();
  if (stats.isFile()) return stats.size;
  await handle.close();
  throw pathDenied(path, 'special_file');
}

function parentMissing(path: string): Error {
  const parent = showPath(dirname(path));
  return fileMissing(
    path,
    `directory ${parent} does not exist; try again with create_parents set to true to make it, ` +
      'or look at what is there with fs.list',
  );
}

/** Goes down from `start`, making the directories that are missing; closes the ones it leaves behind. */
async function openNewDirectories(start: PinnedDirectory, place: Place): Promise<PinnedDirectory> {
  let directory = start;
  for (const name of place.missingDirectories) {
    const parent = directory;
    try {
      directory = await parent.openNewChild(name);
    } finally {
      await parent.close();
    }
  }
  return directory;
}
