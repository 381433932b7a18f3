import type { Dirent } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { RuntimeError } from '../../core/errors.ts';
import { isMissing } from '../../platform/errno-of.ts';
import { MAX_ENTRIES } from './archive-shapes.ts';
import { isSafePath } from './safe-path.ts';

/** Something to pack. What its file grows by after it was listed is left out. */
export interface ListedEntry {
  /** In the archive: relative to the state root, with `/`. */
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'symlink';
  readonly mode: number;
  readonly mtimeMs: number;
  /** Of a file. */
  readonly bytes: number;
  /** Where a file is read instead of below the root. */
  readonly source?: string;
  /** What a file says instead of what is on the disk. */
  readonly content?: string | Buffer;
  /** Where a link leads. */
  readonly target?: string;
}

export interface Listing {
  readonly root: string;
  /** Below the root; one that is not there is passed by. */
  readonly places: readonly string[];
  readonly isLeftOut: (path: string) => boolean;
  /** Whether links are kept as they are; elsewhere they are left out. */
  readonly keepsLinks: (path: string) => boolean;
}

export interface Listed {
  readonly entries: readonly ListedEntry[];
  /** Links, sockets and names that no archive could hold. */
  readonly leftOut: readonly string[];
}

/** What there is below some places at this moment, in the order of names, each folder before what is in it. */
export async function listEntries({
  root,
  places,
  isLeftOut,
  keepsLinks,
}: Listing): Promise<Listed> {
  const entries: ListedEntry[] = [];
  const leftOut: string[] = [];
  const waiting = [...places].reverse();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (isLeftOut(path)) continue;
    const entry = isSafePath(path) ? await findEntry(root, path, keepsLinks(path)) : 'unusual';
    if (entry === 'gone') continue;
    if (entry === 'unusual') leftOut.push(path);
    else entries.push(entry);
    if (entries.length + waiting.length > MAX_ENTRIES) throw tooMany();
    if (entry === 'unusual' || entry.kind !== 'directory') continue;
    const names = (await readNames(join(root, path))).sort().reverse();
    for (const name of names) waiting.push(`${path}/${name}`);
  }
  return { entries, leftOut };
}

async function findEntry(
  root: string,
  path: string,
  keepsLinks: boolean,
): Promise<ListedEntry | 'gone' | 'unusual'> {
  try {
    const stats = await lstat(join(root, path));
    const { mtimeMs, size } = stats;
    const known = { path, mode: stats.mode & 0o777, mtimeMs, bytes: 0 };
    if (stats.isFile()) return { ...known, kind: 'file', bytes: size };
    if (stats.isDirectory()) return { ...known, kind: 'directory' };
    if (!stats.isSymbolicLink() || !keepsLinks) return 'unusual';
    return { ...known, kind: 'symlink', target: await readlink(join(root, path)) };
  } catch (error) {
    // Deleted while we looked; but a name that is no UTF-8 can't be asked for by what was read of it.
    if (isMissing(error)) return path.includes('\uFFFD') ? 'unusual' : 'gone';
    throw error;
  }
}

async function readNames(path: string): Promise<string[]> {
  const names: Dirent[] = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.map(({ name }) => name);
}

function tooMany(): RuntimeError {
  const fix = 'leave the workspace out, or move old bundles and artifacts elsewhere';
  const message = `there are more than ${MAX_ENTRIES} files, which is the most that a backup holds`;
  return new RuntimeError('payload_too_large', message, { details: { fix } });
}
