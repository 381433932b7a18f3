import { RuntimeError } from '../../core/errors.ts';
import { fileFailed } from './file-errors.ts';
import {
  assertUnchanged,
  type Entry,
  type EntryAccess,
  type EntryType,
  entryType,
} from './paths/entry-access.ts';
import type { PinnedDirectory } from './paths/pinned-directory.ts';
import { visitTree } from './visit-tree.ts';

export interface RemoveOptions {
  /** Directories are only removed with this, empty ones too. */
  readonly recursive: boolean;
  readonly signal: AbortSignal;
}

export type RemoveResult =
  | {
      readonly outcome: 'removed';
      readonly type: EntryType;
      /** How many names are gone, the removed one included. */
      readonly entries: number;
    }
  | { readonly outcome: 'missing' };

/** Removes a name. A link is removed itself: nothing behind it is looked at. */
export async function removeEntry(
  access: EntryAccess,
  path: string,
  options: RemoveOptions,
): Promise<RemoveResult> {
  const entry = await access.locate(path);
  const { place } = entry;
  if (place.stat === undefined) return { outcome: 'missing' };
  const type = entryType(place.stat);
  if (type === 'dir' && !options.recursive) {
    const message = 'is a directory; set recursive to true to delete it with all that is in it';
    throw fileFailed(path, 'is_directory', message);
  }
  const release = await access.writers.acquire(place.realPath);
  try {
    const holder = await access.openHolder(place, { path });
    try {
      await assertUnchanged(holder, place, path);
      if (type === 'file') await holder.unlink(place.name);
      const below = type === 'dir' ? await removeTree({ holder, entry, path }, options.signal) : 0;
      await holder.sync();
      return { outcome: 'removed', type, entries: below + 1 };
    } finally {
      await holder.close();
    }
  } finally {
    release();
  }
}

interface Doomed {
  readonly holder: PinnedDirectory;
  readonly entry: Entry;
  readonly path: string;
}

async function removeTree(doomed: Doomed, signal: AbortSignal): Promise<number> {
  const { holder, entry, path } = doomed;
  const { place, boundary } = entry;
  const directory = await holder.openChild(place.name);
  let removed = 0;
  try {
    const tree = { directory, realPath: place.realPath, path, boundary, signal };
    // Once without touching anything: a tree that holds something forbidden, or too much, is left whole.
    for await (const _ of visitTree(tree)) signal.throwIfAborted();
    for await (const found of visitTree(tree)) {
      if (found.isDirectory) await found.holder.removeEmptyDirectory(found.name);
      else await found.holder.unlink(found.name);
      removed += 1;
    }
    await holder.removeEmptyDirectory(place.name);
  } catch (error) {
    throw removed === 0 ? error : partlyRemoved(error, path, removed);
  } finally {
    await directory.close();
  }
  return removed;
}

/** Says that the directory is not what it was; a denial stays one, so that it is audited as such. */
function partlyRemoved(error: unknown, path: string, removed: number): unknown {
  if (!(error instanceof RuntimeError) || error.code === 'policy_denied') return error;
  const message = `was deleted only in part (${removed} entries are gone): ${error.message}`;
  return fileFailed(path, 'partly_deleted', message);
}
