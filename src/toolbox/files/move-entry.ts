import { type BigIntStats, constants } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { RuntimeError } from '../../core/errors.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { isInside } from '../../platform/is-inside.ts';
import { fileFailed, fileMissing, showPath, toFileError } from './file-errors.ts';
import {
  assertUnchanged,
  type Entry,
  type EntryAccess,
  type EntryType,
  entryType,
} from './paths/entry-access.ts';
import { identityOf } from './paths/path-walk.ts';
import type { PinnedDirectory } from './paths/pinned-directory.ts';
import { visitTree } from './visit-tree.ts';

export interface MoveRequest {
  readonly src: string;
  readonly dst: string;
  /** Replaces a file at `dst`. Directories are never replaced. */
  readonly overwrite: boolean;
  readonly createParents: boolean;
  readonly signal: AbortSignal;
}

export interface MoveResult {
  /** False when both paths were the same place already. */
  readonly moved: boolean;
  readonly type: EntryType;
}

const ANY_WRITE_BIT = 0o222n;
const CLAIM_FILE_MODE = 0o600;
const CLAIM_DIRECTORY_MODE = 0o700;

/** Gives an entry another name. Links are moved themselves, at either end. */
export async function moveEntry(access: EntryAccess, request: MoveRequest): Promise<MoveResult> {
  const { src, dst } = request;
  const from = await access.locate(src);
  const to = await access.locate(dst);
  const source = from.place.stat;
  if (source === undefined) throw fileMissing(src);
  const type = entryType(source);
  if (from.place.realPath === to.place.realPath) return { moved: false, type };
  if (type === 'dir' && isInside(from.place.realPath, to.place.realPath)) {
    throw fileFailed(dst, 'inside_itself', `is inside ${showPath(src)}, which can not hold itself`);
  }
  const release = await acquireBoth(access, from, to);
  try {
    await moveHeld(access, { from, to, source, request });
  } finally {
    release();
  }
  return { moved: true, type };
}

/** In one order for everybody: two moves in opposite directions would wait for each other for ever. */
async function acquireBoth(access: EntryAccess, from: Entry, to: Entry): Promise<() => void> {
  const [first = '', second = ''] = [from.place.realPath, to.place.realPath].sort();
  const releaseFirst = await access.writers.acquire(first);
  const releaseSecond = await access.writers.acquire(second);
  return () => {
    releaseSecond();
    releaseFirst();
  };
}

interface Move {
  readonly from: Entry;
  readonly to: Entry;
  readonly source: BigIntStats;
  readonly request: MoveRequest;
}

async function moveHeld(access: EntryAccess, move: Move): Promise<void> {
  const { from, to, source, request } = move;
  const holder = await access.openHolder(from.place, { path: request.src });
  try {
    await assertUnchanged(holder, from.place, request.src);
    if (source.isDirectory()) await assertMovable(holder, from, request);
    const { dst: path, createParents } = request;
    const target = await access.openHolder(to.place, { path, createParents });
    try {
      request.signal.throwIfAborted();
      await renameInto(holder, target, move);
      await target.sync();
      await holder.sync();
    } finally {
      await target.close();
    }
  } finally {
    await holder.close();
  }
}

/** A directory takes along all that is in it, and none of that may belong to the runtime or the operator. */
async function assertMovable(
  holder: PinnedDirectory,
  { place, boundary }: Entry,
  { src, signal }: MoveRequest,
): Promise<void> {
  const directory = await holder.openChild(place.name);
  try {
    const tree = { directory, realPath: place.realPath, path: src, boundary, signal };
    for await (const _ of visitTree(tree)) signal.throwIfAborted();
  } finally {
    await directory.close();
  }
}

async function renameInto(
  holder: PinnedDirectory,
  target: PinnedDirectory,
  { from, to, source, request }: Move,
): Promise<void> {
  const { dst } = request;
  const existing = await target.findEntry(to.place.name);
  if (existing !== undefined) {
    assertReplaceable(existing, source, request);
    return holder.rename(from.place.name, target, to.place.name);
  }
  const unclaim = await claimName(target, to.place.name, { dst, type: entryType(source) });
  try {
    await holder.rename(from.place.name, target, to.place.name);
  } catch (error) {
    await unclaim();
    throw error;
  }
}

function assertReplaceable(existing: BigIntStats, source: BigIntStats, request: MoveRequest): void {
  const { src, dst, overwrite } = request;
  if (identityOf(existing) === identityOf(source)) {
    // One file under two spellings of its name, as on disks that ignore case: renaming changes the spelling.
    if (source.isDirectory() || source.nlink === 1n) return;
    // The kernel would answer that all went well and leave both names.
    const message = `and ${showPath(src)} are two names of one file; delete one of them`;
    throw fileFailed(dst, 'same_file', message);
  }
  if (existing.isDirectory()) {
    throw fileFailed(dst, 'is_directory', 'is a directory; give the new path inside it');
  }
  if (!overwrite) {
    throw fileFailed(dst, 'exists', 'exists already; set overwrite to true to replace it');
  }
  if (source.isDirectory()) {
    throw fileFailed(dst, 'not_a_directory', 'is a file, which a directory can not replace');
  }
  if (!existing.isSymbolicLink() && (existing.mode & ANY_WRITE_BIT) === 0n) {
    throw fileFailed(dst, 'read_only', 'is read-only');
  }
}

/**
 * Takes a free name before renaming to it: rename replaces whatever is there, and what somebody else put there since
 * we looked must not be lost. Returns what gives the name back.
 */
async function claimName(
  target: PinnedDirectory,
  name: string,
  { dst, type }: { readonly dst: string; readonly type: EntryType },
): Promise<() => Promise<void>> {
  try {
    if (type === 'dir') {
      await target.verify();
      await mkdir(target.at(name), { mode: CLAIM_DIRECTORY_MODE });
      return () => target.removeEmptyDirectory(name).catch(ignoreRefusal);
    }
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
    const handle = await target.openFile(name, flags, CLAIM_FILE_MODE);
    const claim = await handle.stat({ bigint: true }).finally(() => handle.close());
    return () => unlinkClaim(target, name, claim).catch(ignoreRefusal);
  } catch (error) {
    throw toFileError(error, dst);
  }
}

/** Unless it has become somebody's file meanwhile. */
async function unlinkClaim(target: PinnedDirectory, name: string, claim: BigIntStats) {
  const now = await target.findEntry(name);
  const isOurs = now !== undefined && identityOf(now) === identityOf(claim) && now.size === 0n;
  if (isOurs) await target.unlink(name);
}

/** What made the move fail is the error to report. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof RuntimeError) && errnoOf(error) === undefined) throw error;
}
