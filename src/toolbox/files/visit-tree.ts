import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { fileFailed, pathDenied } from './file-errors.ts';
import { isControlFile } from './paths/path-names.ts';
import { assertNotReserved, type Boundary } from './paths/path-walk.ts';
import type { PinnedDirectory } from './paths/pinned-directory.ts';

/** Enough for the dependencies of a large project; a tree beyond it is somebody's data and wants a person. */
export const MAX_TREE_ENTRIES = 50_000;
// Each level holds a directory open.
const MAX_TREE_DEPTH = 64;

export interface Tree {
  readonly directory: PinnedDirectory;
  readonly realPath: string;
  /** As the caller gave it, for messages. */
  readonly path: string;
  readonly boundary: Boundary;
  readonly signal: AbortSignal;
  readonly maxEntries?: number;
}

export interface TreeEntry {
  /** Holds `name`; open while the entry is visited. */
  readonly holder: PinnedDirectory;
  readonly name: string;
  readonly isDirectory: boolean;
}

/**
 * Everything below a directory, children before their directory, links not followed. Throws at what no tool may
 * touch, so a caller that has gone through a tree once knows that nothing of it belongs to the runtime.
 */
export async function* visitTree(tree: Tree): AsyncGenerator<TreeEntry> {
  const maxEntries = tree.maxEntries ?? MAX_TREE_ENTRIES;
  let seen = 0;

  async function* visit(level: Level): AsyncGenerator<TreeEntry> {
    const { entries, complete } = await level.directory.readEntries(maxEntries - seen);
    seen += entries.length;
    if (!complete) {
      const message = `has more than ${maxEntries} entries; take its parts one by one`;
      throw fileFailed(tree.path, 'too_many_entries', message);
    }
    for (const entry of entries) {
      tree.signal.throwIfAborted();
      await assertTouchable(tree, level, entry);
      const isDirectory = entry.isDirectory();
      if (isDirectory) yield* visitChild(level, entry.name);
      yield { holder: level.directory, name: entry.name, isDirectory };
    }
  }

  async function* visitChild(level: Level, name: string): AsyncGenerator<TreeEntry> {
    if (level.depth === MAX_TREE_DEPTH) {
      const message = `is more than ${MAX_TREE_DEPTH} directories deep; take its parts one by one`;
      throw fileFailed(tree.path, 'too_deep', message);
    }
    const directory = await level.directory.openChild(name);
    try {
      yield* visit({
        directory,
        realPath: join(level.realPath, name),
        shown: `${level.shown}/${name}`,
        depth: level.depth + 1,
      });
    } finally {
      await directory.close();
    }
  }

  const { directory, realPath } = tree;
  yield* visit({ directory, realPath, shown: tree.path.replace(/\/+$/, ''), depth: 1 });
}

interface Level {
  readonly directory: PinnedDirectory;
  readonly realPath: string;
  readonly shown: string;
  readonly depth: number;
}

async function assertTouchable(tree: Tree, level: Level, entry: Dirent): Promise<void> {
  const path = `${level.shown}/${entry.name}`;
  assertNotReserved({
    path,
    location: join(level.realPath, entry.name),
    // Only directories are reserved by identity; asking for every file would double the work.
    stats: entry.isDirectory() ? await level.directory.findEntry(entry.name) : undefined,
    boundary: tree.boundary,
  });
  if (isControlFile(entry.name)) throw pathDenied(path, 'control_file');
}
