import { access, link, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory, writeDurably } from './durable-write.ts';
import { errnoOf } from './errno-of.ts';
import { toTemporaryPath } from './temporary-path.ts';

/**
 * Creates a file with its content in one step, for its owner alone. False: somebody else was first, and theirs is
 * complete.
 */
export async function createFile(path: string, content: string | Uint8Array): Promise<boolean> {
  // Every start after the first ends here, without waiting for the disk.
  if (await exists(path)) return false;
  const temporary = toTemporaryPath(path);
  try {
    await writeDurably(temporary, content);
    const created = await linkOrWrite({ temporary, path, content });
    if (created) await syncDirectory(dirname(path));
    return created;
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

/** What file systems without second names answer. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

export function isWithoutLinks(thrown: unknown): boolean {
  return NO_LINKS.has(errnoOf(thrown) ?? '');
}

interface NewFile {
  readonly temporary: string;
  readonly path: string;
  readonly content: string | Uint8Array;
}

async function linkOrWrite({ temporary, path, content }: NewFile): Promise<boolean> {
  try {
    await link(temporary, path).catch(async (error: unknown) => {
      if (!isWithoutLinks(error)) throw error;
      // There a second process might read the file while it is empty.
      await writeDurably(path, content);
    });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}
