import { readlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { RuntimeError } from '../../../core/errors.ts';
import { errnoOf, isMissing } from '../../../platform/errno-of.ts';
import { replaceFile } from '../../../platform/replace-file.ts';

/** Whoever writes holds a lock, so that what a crash left of a secret goes with the next write. */
export async function replacePrivateFile(path: string, content: string): Promise<void> {
  try {
    await replaceFile(path, content, { hasOneWriter: true });
  } catch (cause) {
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
      if (isMissing(cause) || NOT_LINKS.includes(errnoOf(cause) ?? '')) return undefined;
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

export function toDiskFault(
  action: 'read' | 'write' | 'create',
  path: string,
  cause: unknown,
): RuntimeError {
  if (cause instanceof RuntimeError) return cause;
  const message = `cannot ${action} ${path} (${errnoOf(cause) ?? 'unknown fault'})`;
  return new RuntimeError('storage_unavailable', message, { cause, details: { file: path } });
}
