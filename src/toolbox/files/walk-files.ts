import type { Dirent } from 'node:fs';
import { RuntimeError } from '../../core/errors.ts';
import type { PathGuard } from './paths/path-guard.ts';
import { isReservedName } from './paths/path-names.ts';
import { isTemporaryName } from './temporary-name.ts';

const SKIPPED_DIRECTORIES = new Set(['.git', 'node_modules']);
const MAX_DEPTH = 64;
const MAX_NAMES = 100_000;

export interface FileWalk {
  /** Paths from the workspace, in order of name, links left out. */
  readonly files: AsyncGenerator<string>;
  /** Whether a bound of the walk itself cut it short. Final when `files` has ended. */
  isCut(): boolean;
}

export interface WalkRequest {
  readonly path: string;
  readonly signal: AbortSignal;
  /** Passes over directories for which this is false. */
  readonly enters?: (directory: string) => boolean;
}

/** All files at or below `path`. What vanishes or refuses on the way is passed over; `path` itself must be there. */
export function walkFiles(guard: PathGuard, { path, signal, enters }: WalkRequest): FileWalk {
  let names = 0;
  let cut = false;

  async function* descend(directory: string, depth: number): AsyncGenerator<string> {
    const entries = await readDirectory(guard, directory, { limit: MAX_NAMES - names });
    names += entries.length;
    cut ||= names >= MAX_NAMES;
    for (const entry of entries.filter(isSearched).sort(byName)) {
      signal.throwIfAborted();
      const child = directory === '.' ? entry.name : `${directory}/${entry.name}`;
      if (entry.isFile()) yield child;
      if (!entry.isDirectory() || enters?.(child) === false) continue;
      if (depth === MAX_DEPTH) cut = true;
      else yield* descend(child, depth + 1);
    }
  }

  async function* start(): AsyncGenerator<string> {
    const { kind, relativePath } = await guard.resolveForRead(path);
    if (kind === 'file') yield relativePath;
    else yield* descend(relativePath, 1);
  }

  return { files: start(), isCut: () => cut };
}

async function readDirectory(
  guard: PathGuard,
  path: string,
  { limit }: { readonly limit: number },
): Promise<readonly Dirent[]> {
  const opened = await unlessUnusable(guard.openDirectory(path));
  if (opened === undefined) return [];
  try {
    return (await opened.directory.readEntries(limit)).entries;
  } finally {
    await opened.directory.close();
  }
}

/** Undefined for what the guard or the file system refuses: one such file must not end a walk over thousands. */
export async function unlessUnusable<Opened>(
  opening: Promise<Opened>,
): Promise<Opened | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    return undefined;
  }
}

function isSearched({ name }: Dirent): boolean {
  return !SKIPPED_DIRECTORIES.has(name) && !isReservedName(name) && !isTemporaryName(name);
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}
