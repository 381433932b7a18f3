import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { errnoOf, isMissing } from '../../platform/errno-of.ts';
import { isInside } from '../../platform/is-inside.ts';

export type InsideFile =
  | { readonly outcome: 'read'; readonly path: string; readonly text: string }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'refused'; readonly reason: string };

/** Never waits on a pipe that somebody put there, and never follows a link that was put there after the check. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Reads a file that really lies in `folder`, which is a real path, wherever links on the way lead. */
export async function readInside(
  folder: string,
  path: string,
  maxBytes: number,
): Promise<InsideFile> {
  try {
    const real = await realpath(path);
    if (!isInside(folder, real)) return { outcome: 'refused', reason: 'leads out of its folder' };
    const text = await readBounded(real, maxBytes);
    return typeof text === 'string'
      ? { outcome: 'read', path: real, text }
      : { outcome: 'refused', reason: text.reason };
  } catch (error) {
    return isMissing(error)
      ? { outcome: 'missing' }
      : { outcome: 'refused', reason: `can't be read (${errnoOf(error) ?? 'unknown error'})` };
  }
}

async function readBounded(
  path: string,
  maxBytes: number,
): Promise<string | { readonly reason: string }> {
  const file = await open(path, FLAGS);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return { reason: 'is not a regular file' };
    // One byte more than allowed tells a file that grew meanwhile from one that fits.
    const buffer = Buffer.alloc(Math.min(stats.size, maxBytes) + 1);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    if (bytesRead > maxBytes) return { reason: `is larger than ${maxBytes} bytes` };
    const text = buffer.toString('utf8', 0, bytesRead);
    return text.includes('\0') ? { reason: 'is not text' } : text;
  } finally {
    await file.close();
  }
}
