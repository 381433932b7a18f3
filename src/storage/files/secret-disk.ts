import { open, readlink, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { RuntimeError } from '../../core/errors.ts';
import { FILE_MODE, syncPath } from './owner-only.ts';

/**
 * Replaces a file in one step: a reader or a crash sees the old content or the new one, whole. Writers take turns, so
 * that the temporary name can be a fixed one and what a crash left under it goes with the next write.
 */
export async function replacePrivateFile(path: string, content: string): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    await rm(temporary, { force: true });
    const file = await open(temporary, 'wx', FILE_MODE);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await moveFile(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => {});
    throw toDiskFault('write', path, cause);
  }
}

/** As many as Linux follows. */
const MAX_LINKS = 40;

/**
 * The file behind links, also one that is not there yet. Operators keep keys and stores elsewhere and link to them: to
 * put a new file in the place of the link would leave the old one there, for the next deployment to link to again.
 */
export async function followLinks(path: string): Promise<string> {
  let file = path;
  for (let links = 0; links < MAX_LINKS; links += 1) {
    const target = await readlink(file).catch((cause: unknown) => {
      if (isMissing(cause) || NOT_LINKS.includes(codeOf(cause) ?? '')) return undefined;
      throw toDiskFault('read', path, cause);
    });
    if (target === undefined) return file;
    file = resolve(dirname(file), target);
  }
  const fault = Object.assign(new Error('too many symbolic links'), { code: 'ELOOP' });
  throw toDiskFault('read', path, fault);
}

/** What systems answer for a file that is none; Windows has its own word. */
const NOT_LINKS = ['EINVAL', 'UNKNOWN'];

/** So that it also survives a power loss. */
export async function moveFile(from: string, to: string): Promise<void> {
  await rename(from, to);
  // Windows can't open directories; its renames are journalled.
  if (process.platform !== 'win32') await syncPath(dirname(to));
}

export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

export function toDiskFault(
  action: 'read' | 'write' | 'create',
  path: string,
  cause: unknown,
): RuntimeError {
  if (cause instanceof RuntimeError) return cause;
  const message = `cannot ${action} ${path} (${codeOf(cause) ?? 'unknown fault'})`;
  return new RuntimeError('storage_unavailable', message, { cause, details: { file: path } });
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
