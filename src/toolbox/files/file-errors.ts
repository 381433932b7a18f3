import { RuntimeError } from '../../core/errors.ts';
import { errnoOf } from '../../platform/errno-of.ts';

/** Why the guard refused, in words for people. The keys are stable and go into `details.reason`. */
const DENIALS = {
  empty_path: 'it is empty',
  nul_byte: 'it contains a NUL byte',
  drive_path: 'drive paths are not supported',
  unc_path: 'network paths are not supported',
  traversal: 'it leaves the workspace',
  outside_workspace: 'it is outside the workspace',
  symlink_outside: 'a symbolic link on it leads outside the workspace',
  symlink_loop: 'it goes through too many symbolic links',
  reserved_path: 'it belongs to the runtime',
  control_file: 'control files belong to the operator',
  git_directory: 'what git keeps there can make it run programs; use git itself',
  workspace_root: 'it is the workspace itself',
  special_file: 'it is not a regular file or directory',
  path_changed: 'it changed while it was being opened',
} as const;

export type DenialReason = keyof typeof DENIALS;

export function pathDenied(path: string, reason: DenialReason): RuntimeError {
  const shown = showPath(path);
  return new RuntimeError('policy_denied', `path denied: ${shown} (${DENIALS[reason]})`, {
    details: { path: shown, reason },
  });
}

export function fileMissing(path: string, message?: string): RuntimeError {
  const shown = showPath(path);
  return new RuntimeError('not_found', message ?? `${shown} does not exist`, {
    details: { path: shown },
  });
}

export function fileFailed(path: string, reason: string, message: string): RuntimeError {
  const shown = showPath(path);
  return new RuntimeError('tool_failed', `${shown} ${message}`, {
    details: { path: shown, reason },
  });
}

export function inputInvalid(field: string, message: string): RuntimeError {
  return new RuntimeError('tool_input_invalid', message, { details: { field } });
}

/** Gives the file system's refusals a meaning for the caller; faults of the disk itself pass unchanged. */
export function toFileError(thrown: unknown, path: string): unknown {
  if (thrown instanceof RuntimeError) return thrown;
  switch (errnoOf(thrown)) {
    case 'ENOENT':
      return fileMissing(path);
    case 'ENOTDIR':
      return fileFailed(path, 'not_a_directory', 'goes through something that is not a directory');
    case 'EISDIR':
      return fileFailed(path, 'is_directory', 'is a directory');
    case 'EACCES':
    case 'EPERM':
      return fileFailed(path, 'permission', 'is not accessible to the runtime (permissions)');
    case 'ENAMETOOLONG':
      return inputInvalid('path', `path is too long: ${showPath(path)}`);
    case 'ELOOP':
      // Links were resolved before; meeting one at open time means somebody put it there since.
      return pathDenied(path, 'path_changed');
    case 'EXDEV':
      return fileFailed(
        path,
        'other_file_system',
        'lies on another file system than its new place',
      );
    case 'ENOTEMPTY':
    case 'EEXIST':
      return fileFailed(path, 'changed', 'changed meanwhile; look at what is there and try again');
    case 'EBUSY':
      return fileFailed(path, 'busy', 'is in use by the system');
    case 'ENXIO':
    case 'ENODEV':
      return pathDenied(path, 'special_file');
    default:
      return thrown;
  }
}

const MAX_SHOWN_CHARS = 200;

/** A path as it may stand in messages and records: no control characters, no kilobytes. */
export function showPath(path: string): string {
  const clipped = path.length > MAX_SHOWN_CHARS ? `${path.slice(0, MAX_SHOWN_CHARS)}…` : path;
  return clipped.replace(/[\p{Cc}\p{Cs}]/gu, (char) => {
    return `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}
