import { randomBytes } from 'node:crypto';
import { access, link, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, toStorageFault } from './storage-fault.ts';

/** For this user only: these files hold secrets or may come to. */
export const PRIVATE_FILE_MODE = 0o600;

/** Replaces a file in one step: a reader or a crash sees the old content or the new one, whole. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const temporary = toTemporaryPath(path);
  try {
    await writeDurably(temporary, content);
    await rename(temporary, path);
    await syncDirectory(dirname(path));
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => {});
    throw toStorageFault('write', path, cause);
  }
}

/** Creates a file with its content in one step. False: somebody else was first, and theirs is complete. */
export async function createFile(path: string, content: string): Promise<boolean> {
  // Every start after the first ends here, without waiting for the disk.
  if (await exists(path)) return false;
  const temporary = toTemporaryPath(path);
  try {
    await writeDurably(temporary, content);
    const created = await linkOrCreate({ temporary, path, content });
    if (created) await syncDirectory(dirname(path));
    return created;
  } catch (cause) {
    throw toStorageFault('create', path, cause);
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}

const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

async function linkOrCreate(file: {
  temporary: string;
  path: string;
  content: string;
}): Promise<boolean> {
  try {
    await link(file.temporary, file.path);
    return true;
  } catch (cause) {
    const code = errorCode(cause) ?? '';
    if (code === 'EEXIST') return false;
    if (!NO_HARD_LINKS.has(code)) throw cause;
  }
  try {
    // On a file system without hard links a second process might read the file while it is empty.
    await writeFile(file.path, file.content, { flag: 'wx', mode: PRIVATE_FILE_MODE });
    return true;
  } catch (cause) {
    if (errorCode(cause) === 'EEXIST') return false;
    throw cause;
  }
}

async function writeDurably(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', PRIVATE_FILE_MODE);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a rename or a new name survive a power loss. */
async function syncDirectory(path: string): Promise<void> {
  // Windows can't open directories; its renames are journalled.
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function toTemporaryPath(path: string): string {
  return `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
}
