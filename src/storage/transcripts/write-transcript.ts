import { constants } from 'node:fs';
import { copyFile, type FileHandle, link, mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isWithoutLinks } from '../../platform/create-file.ts';
import { syncDirectory } from '../../platform/durable-write.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { DIRECTORY_MODE } from '../../platform/owner-only.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { SAFE_FLAGS } from './read-transcript.ts';
import { diskFault } from './transcript-faults.ts';

/** Replaces the file in one step: a reader or a crash sees the old one or the new one, whole. */
export async function replaceTranscript(path: string, content: string): Promise<void> {
  try {
    await replaceFile(path, content, { hasOneWriter: true });
  } catch (cause) {
    throw diskFault('write', path, cause);
  }
}

/** Its name, and those of the folders above it that are new, survive a power loss too. */
export async function makeDurableDirectory(path: string): Promise<void> {
  try {
    const first = await mkdir(path, { recursive: true, mode: DIRECTORY_MODE });
    if (first === undefined) return;
    for (let folder = path; folder.length >= first.length; folder = dirname(folder)) {
      await syncDirectory(dirname(folder));
    }
  } catch (cause) {
    throw diskFault('mkdir', path, cause);
  }
}

/** Adds one line, on disk when it returns. Of a write that fails nothing stays. */
export async function appendLine(path: string, line: string): Promise<void> {
  const bytes = Buffer.from(`${line}\n`);
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, constants.O_WRONLY | constants.O_APPEND | SAFE_FLAGS);
    const { size } = await handle.stat();
    try {
      await writeAll(handle, bytes);
      await handle.sync();
    } catch (cause) {
      await handle.truncate(size).catch(() => {});
      throw cause;
    }
  } catch (cause) {
    throw diskFault('write', path, cause);
  } finally {
    await handle?.close();
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written);
    written += bytesWritten;
  }
}

export const ROTATE_BYTES = 256 * 1024;
const KEPT_ROTATIONS = 3;
const MAX_NAME_TRIES = 1_000;

/** Keeps the file under a second name before it is replaced: at no moment is there none under the first. */
export async function rotateTranscript(path: string, nowMs: number): Promise<void> {
  const stem = path.slice(0, -'.jsonl'.length);
  for (let tries = 0; tries < MAX_NAME_TRIES; tries += 1) {
    const copy = `${stem}.rot-${nowMs + tries}.jsonl`;
    try {
      await linkOrCopy(path, copy);
      return;
    } catch (cause) {
      if (errnoOf(cause) !== 'EEXIST') throw diskFault('link', copy, cause);
    }
  }
  throw diskFault('link', path, undefined);
}

async function linkOrCopy(path: string, copy: string): Promise<void> {
  try {
    await link(path, copy);
  } catch (cause) {
    if (!isWithoutLinks(cause)) throw cause;
    await copyFile(path, copy, constants.COPYFILE_EXCL);
  }
}

/** The oldest copies go. */
export async function pruneRotations(path: string): Promise<void> {
  const copies = await listRotations(path);
  for (const copy of copies.slice(0, -KEPT_ROTATIONS)) {
    await rm(copy, { force: true }).catch((cause: unknown) => {
      throw diskFault('unlink', copy, cause);
    });
  }
}

/** Older copies of a transcript, oldest first. */
export async function listRotations(path: string): Promise<string[]> {
  const folder = dirname(path);
  const prefix = `${path.slice(folder.length + 1, -'.jsonl'.length)}.rot-`;
  const names = await readdir(folder).catch((cause: unknown) => {
    if (errnoOf(cause) === 'ENOENT') return [];
    throw diskFault('readdir', folder, cause);
  });
  return names
    .filter((name) => name.startsWith(prefix) && /^\d+\.jsonl$/.test(name.slice(prefix.length)))
    .sort(
      (a, b) =>
        Number.parseInt(a.slice(prefix.length), 10) - Number.parseInt(b.slice(prefix.length), 10),
    )
    .map((name) => join(folder, name));
}
