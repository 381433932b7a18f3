import { constants } from 'node:fs';
import { chmod, open, readlink } from 'node:fs/promises';
import { toDiskPath } from './disk-path.ts';

/** Linux only, and known to no module of Node: holds a directory without the right to read it. */
const O_PATH = 0o10000000;
const ALL_BITS = 0o7777;

/**
 * Gives the owner's rights on a directory back to us, where we are the owner. It is held while that is done: another
 * command may put a link in its place or in that of a parent.
 */
export async function openUp(directory: string, rights: number): Promise<void> {
  if (process.platform !== 'linux') return;
  const flags = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  const handle = await open(toDiskPath(directory), flags);
  try {
    const held = `/proc/self/fd/${handle.fd}`;
    const { uid, mode } = await handle.stat();
    if (uid !== process.getuid?.() || (await readlink(held, 'latin1')) !== directory) return;
    await chmod(held, (mode & ALL_BITS) | rights);
  } finally {
    await handle.close();
  }
}
