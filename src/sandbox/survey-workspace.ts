import { constants, type Dirent } from 'node:fs';
import { access, lstat, readdir } from 'node:fs/promises';
import type { Protection } from '../core/sandbox/sandbox.ts';
import { errnoOf } from '../platform/errno-of.ts';
import { toBytes, toDiskPath, toText } from './disk-path.ts';
import { openUp } from './open-up.ts';

/** A name in the workspace that commands must not have, or must not change. */
export interface GuardedEntry {
  /** In bytes, one character each: names on the disk need not be text. */
  readonly path: string;
  readonly protection: Exclude<Protection, 'open'>;
  readonly kind: 'directory' | 'file' | 'link';
  /** Device and inode, which a rename does not change. */
  readonly identity: string;
}

export interface Survey {
  readonly guarded: readonly GuardedEntry[];
  /** What git may take for a repository: entries called `.git`, and directories that look like one inside. */
  readonly repositories: readonly string[];
  /** Files and directories with a set-user-id or set-group-id bit; empty unless asked for. */
  readonly privileged: readonly string[];
  /** Why something was not looked at, in words for the operator. The rest was. */
  readonly faults: readonly string[];
}

export interface SurveyRequest {
  readonly workspace: string;
  readonly protect: (name: string) => Protection;
  /** Real paths of what is hidden already. */
  readonly except: readonly string[];
  /** Looks at the mode of everything, which costs a look at each file. */
  readonly withModes?: boolean;
}

/** A workspace beyond this is no project; nobody would wait for it before each command. */
const MAX_ENTRIES = 1_000_000;
const MAX_READS_AT_ONCE = 16;
const MAX_FAULTS = 20;
const READ_AND_ENTER = 0o500;
const SET_ID_BITS = 0o6000n;

/**
 * Goes through the whole workspace, links not followed. A directory of our own that is closed is opened: a command
 * could have closed it in order to open it again when nobody looks. Never throws: whoever looks for what a command left
 * behind has to know of everything that was found, whatever else could not be.
 */
export async function surveyWorkspace(request: SurveyRequest): Promise<Survey> {
  const found = { guarded: [], repositories: [], privileged: [], faults: [] } as {
    guarded: GuardedEntry[];
    repositories: string[];
    privileged: string[];
    faults: string[];
  };
  const except = new Set(request.except.map(toBytes));
  const pending = [toBytes(request.workspace)];
  let seen = 0;

  async function visit(directory: string): Promise<void> {
    const entries = await readEntries(directory);
    seen += entries.length;
    if (looksLikeRepository(entries)) found.repositories.push(directory);
    for (const entry of entries) {
      const path = `${directory}/${entry.name}`;
      if (except.has(path)) continue;
      const protection = request.protect(toText(entry.name));
      if (isGitName(entry.name)) found.repositories.push(path);
      if (protection !== 'open') {
        const guarded = await findGuarded(path, protection);
        if (guarded) found.guarded.push(guarded);
        if (protection === 'hidden') continue;
      }
      if (request.withModes && (await isPrivileged(path))) found.privileged.push(path);
      if (entry.isDirectory()) pending.push(path);
    }
  }

  async function tryVisit(directory: string): Promise<void> {
    await visit(directory).catch((error: unknown) => {
      if (found.faults.length >= MAX_FAULTS) return;
      found.faults.push(
        `${toText(directory)} can't be looked into (${errnoOf(error) ?? 'unknown'})`,
      );
    });
  }

  while (pending.length > 0 && seen <= MAX_ENTRIES) {
    await Promise.all(pending.splice(-MAX_READS_AT_ONCE).map(tryVisit));
  }
  if (seen > MAX_ENTRIES) found.faults.push(`it has more than ${MAX_ENTRIES} entries`);
  return found;
}

async function readEntries(directory: string): Promise<readonly Dirent[]> {
  const path = toDiskPath(directory);
  try {
    // What can be listed and not entered would hide what its names are.
    await access(path, constants.R_OK | constants.X_OK).catch(async (error: unknown) => {
      if (errnoOf(error) === 'EACCES') await openUp(directory, READ_AND_ENTER);
    });
    return await readdir(path, { encoding: 'latin1', withFileTypes: true });
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return [];
    if (errno === 'EACCES' && !(await isOwn(directory))) return [];
    throw error;
  }
}

/** What belongs to somebody else is as closed to commands as it is to us, and they can't open it. */
async function isOwn(path: string): Promise<boolean> {
  const found = await lstat(toDiskPath(path)).catch(() => undefined);
  return found?.uid === process.getuid?.();
}

async function findGuarded(
  path: string,
  protection: GuardedEntry['protection'],
): Promise<GuardedEntry | undefined> {
  const found = await lstat(toDiskPath(path), { bigint: true }).catch(() => undefined);
  if (found === undefined) return undefined;
  const kind = found.isDirectory() ? 'directory' : found.isSymbolicLink() ? 'link' : 'file';
  return { path, protection, kind, identity: `${found.dev}:${found.ino}` };
}

async function isPrivileged(path: string): Promise<boolean> {
  const found = await lstat(toDiskPath(path), { bigint: true }).catch(() => undefined);
  return (
    found !== undefined &&
    (found.isFile() || found.isDirectory()) &&
    (found.mode & SET_ID_BITS) !== 0n
  );
}

function isGitName(name: string): boolean {
  return name.toLowerCase() === '.git';
}

/** As git decides it: with these three a directory is a repository, whatever it is called. */
function looksLikeRepository(entries: readonly Dirent[]): boolean {
  const names = new Set(entries.map(({ name }) => name.toLowerCase()));
  return (
    names.has('head') && (names.has('commondir') || (names.has('objects') && names.has('refs')))
  );
}
