import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { fingerprintWorkspace } from '../../core/transcripts/fingerprint-workspace.ts';
import { isTranscriptId } from '../../core/transcripts/transcript-id.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { badReference, diskFault } from './transcript-faults.ts';

/** Where the transcripts of a workspace lie. */
export interface TranscriptPlaces {
  /** The workspace's real path. */
  readonly root: string;
  readonly directory: string;
  /** Where they lay before each workspace had a folder; undefined in a folder that somebody chose. */
  readonly formerDirectory: string | undefined;
}

export interface TranscriptFile {
  readonly id: string;
  readonly path: string;
}

export async function findPlaces(root: string, directory?: string): Promise<TranscriptPlaces> {
  const real = await toRealPath(resolve(root));
  if (directory !== undefined) {
    return { root: real, directory: resolve(directory), formerDirectory: undefined };
  }
  const formerDirectory = join(real, '.claw', 'sessions');
  return {
    root: real,
    directory: join(formerDirectory, fingerprintWorkspace(real)),
    formerDirectory,
  };
}

/** A path that leads nowhere yet stands for itself. */
async function toRealPath(path: string): Promise<string> {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Where the transcript is written. */
export function toHome({ directory }: TranscriptPlaces, id: string): string {
  return join(directory, `${id}.jsonl`);
}

export const EXTENSIONS = ['.jsonl', '.json'] as const;

/** Every file that may hold the transcript; the first that exists does. */
export function listCandidates(places: TranscriptPlaces, id: string): TranscriptFile[] {
  return listFolders(places).flatMap((folder) =>
    EXTENSIONS.map((extension) => ({ id, path: join(folder, `${id}${extension}`) })),
  );
}

export function listFolders({ directory, formerDirectory }: TranscriptPlaces): string[] {
  return formerDirectory === undefined ? [directory] : [directory, formerDirectory];
}

export async function findFile(
  places: TranscriptPlaces,
  id: string,
): Promise<TranscriptFile | undefined> {
  for (const file of listCandidates(places, id)) {
    if (await doesExist(file.path)) return file;
  }
  return undefined;
}

export async function doesExist(path: string): Promise<boolean> {
  try {
    lstatSync(path);
    return true;
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return false;
    throw diskFault('lstat', path, cause);
  }
}

/** Longer ones the system refuses anyway. */
const MAX_PATH_CHARS = 4_096;

/** True for what can only be a path: an id has neither separators nor an extension of ours. */
export function isPathReference(reference: string): boolean {
  return /[/\\]/.test(reference) || /\.jsonl?$/.test(reference);
}

/** The file that a path names. A path that leads out of the folders of the workspace is refused, links included. */
export async function parsePathReference(
  places: TranscriptPlaces,
  reference: string,
): Promise<TranscriptFile> {
  if (reference.length > MAX_PATH_CHARS) throw badReference(reference, 'is too long');
  if (reference.includes('\0')) throw badReference(reference, 'is not a path');
  const path = toAbsolute(places, reference);
  const name = basename(path);
  const real = await toRealPath(dirname(path));
  const folder = await findAsync(
    listFolders(places),
    async (known) => (await toRealPath(known)) === real,
  );
  if (folder === undefined) throw badReference(reference, `leaves ${places.directory}`);
  const extension = EXTENSIONS.find((known) => known === extname(name));
  const id = basename(name, extension);
  if (extension === undefined || !isTranscriptId(id)) {
    throw badReference(reference, 'is not the file of a session');
  }
  return { id, path: join(folder, name) };
}

async function findAsync<T>(
  items: readonly T[],
  isWanted: (item: T) => Promise<boolean>,
): Promise<T | undefined> {
  for (const item of items) if (await isWanted(item)) return item;
  return undefined;
}

/** Relative to the workspace; a bare file name is one of the sessions folder. */
function toAbsolute({ root, directory }: TranscriptPlaces, reference: string): string {
  if (isAbsolute(reference)) return resolve(reference);
  return /[/\\]/.test(reference) ? resolve(root, reference) : join(directory, reference);
}

/** A folder that somebody chose may hold transcripts of any workspace; one that names none belongs where it lies. */
export async function isOfWorkspace(
  { root, formerDirectory }: TranscriptPlaces,
  workspaceRoot: string | undefined,
): Promise<boolean> {
  if (formerDirectory === undefined || workspaceRoot === undefined) return true;
  return workspaceRoot === root || (await toRealPath(workspaceRoot)) === root;
}
