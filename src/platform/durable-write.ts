import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FILE_MODE } from './owner-only.ts';

/**
 * Writes a new file that is on the disk when this returns; nothing stays of one that fails. Its name is not: that is
 * its folder's to keep.
 */
export async function writeDurably(
  path: string,
  content: string | Uint8Array,
  mode = FILE_MODE,
): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true }).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}

/** Makes the names in a folder survive a power loss; syncing a file does not save its name. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows can't open directories; its renames are journalled.
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** A rename that survives a power loss. */
export async function moveFile(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncDirectory(dirname(to));
}
