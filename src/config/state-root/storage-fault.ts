import { RuntimeError } from '../../core/errors.ts';
import { errnoOf } from '../../platform/errno-of.ts';

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'part of the path is a file, not a folder',
  EEXIST: 'something else is in its place',
  EISDIR: 'a folder is in its place',
  ELOOP: 'too many symbolic links',
};

/** A refusal of the file system, named by path: the operator has to know where to look. */
export function toStorageFault(action: string, path: string, cause: unknown): RuntimeError {
  if (cause instanceof RuntimeError) return cause;
  const code = errnoOf(cause) ?? 'unknown error';
  const reason = CAUSES[code];
  const text = reason === undefined ? code : `${reason} (${code})`;
  const fix = 'make the path writable for this user, or choose another state root with CLAW_ROOT';
  return new RuntimeError(
    'storage_unavailable',
    `cannot ${action} ${path}: ${text}; to fix: ${fix}`,
    {
      details: { path, code, fix },
      cause,
    },
  );
}
