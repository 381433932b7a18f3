import { constants, lstatSync } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf } from '../../platform/errno-of.ts';
import { isInside } from '../../platform/is-inside.ts';

/** Four bytes a character, and some. */
const MAX_BYTES = 65_536;

/**
 * What changes when the file does. Undefined when there is none. On the spot: it lies beside the database, where a look
 * takes microseconds, and every run looks for its soul.
 */
export function statOwnFile(path: string): string | undefined {
  try {
    const { mtimeMs, ctimeMs, size, ino } = lstatSync(path);
    return [mtimeMs, ctimeMs, size, ino].join(' ');
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT' || errnoOf(thrown) === 'ENOTDIR') return undefined;
    throw thrown;
  }
}

export type OwnFile =
  | { readonly content: string; readonly problem?: undefined }
  | { readonly content?: undefined; readonly problem: string };

/** A plain file of bounded size that really lies below the root, whatever links there are on the way. */
export async function readOwnFile(root: string, path: string): Promise<OwnFile> {
  const [realRoot, realFolder] = await Promise.all([realpath(root), realpath(dirname(path))]);
  if (!isInside(realRoot, realFolder))
    return { problem: 'its folder lies outside of the state root' };
  const handle = await open(
    path,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  ).catch((thrown: unknown) => {
    if (errnoOf(thrown) === 'ELOOP') return undefined;
    throw thrown;
  });
  if (!handle) return { problem: 'it is a link' };
  try {
    const { size, nlink } = await handle.stat().then((found) => (found.isFile() ? found : NO_FILE));
    if (nlink === 0) return { problem: 'it is not a file' };
    if (size > MAX_BYTES) return { problem: `it has more than ${MAX_BYTES} bytes` };
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    if (bytesRead > MAX_BYTES) return { problem: `it has more than ${MAX_BYTES} bytes` };
    return decode(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

const NO_FILE = { size: 0, nlink: 0 };

function decode(bytes: Uint8Array): OwnFile {
  try {
    const content = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return content.includes('\0') ? { problem: 'it holds NUL characters' } : { content };
  } catch {
    return { problem: 'it is not UTF-8' };
  }
}
