import { rm, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from '../../platform/durable-write.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { readOnce } from './read-transcript.ts';
import { deleteFailed } from './transcript-faults.ts';
import {
  doesExist,
  isOfWorkspace,
  listCandidates,
  type TranscriptFile,
  type TranscriptPlaces,
  toHome,
} from './transcript-places.ts';
import { listRotations } from './write-transcript.ts';

/** For whoever holds the lock. All files of the transcript go, or an older one would come to light. */
export async function removeTranscript(places: TranscriptPlaces, id: string): Promise<boolean> {
  const home = toHome(places, id);
  const files = await listOwn(places, id);
  if (files.length === 0) return false;
  let path = home;
  try {
    // The copies first: cut off in the middle, there is still a session to delete.
    for (const copy of await listRotations(home)) {
      path = copy;
      await rm(copy, { force: true });
    }
    await rm(`${home}.tmp`, { force: true });
    let isRemoved = false;
    for (const file of files) {
      path = file.path;
      isRemoved = (await removeFile(path)) || isRemoved;
    }
    return isRemoved;
  } catch (cause) {
    throw deleteFailed(id, path, cause);
  }
}

async function removeFile(path: string): Promise<boolean> {
  try {
    await unlink(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
  await syncDirectory(dirname(path));
  return true;
}

/** The former folder may hold transcripts of other workspaces; what can't be read is whoever's it lies with. */
async function listOwn(places: TranscriptPlaces, id: string): Promise<TranscriptFile[]> {
  const own: TranscriptFile[] = [];
  for (const file of listCandidates(places, id)) {
    if (!(await doesExist(file.path))) continue;
    const read = await readOnce(file.path).catch(() => undefined);
    const isForeign =
      read?.outcome === 'found' && !(await isOfWorkspace(places, read.document.meta.workspaceRoot));
    if (!isForeign) own.push(file);
  }
  return own;
}
