import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import { errnoOf } from '../../platform/errno-of.ts';

const LIST_HINT = 'claw list-sessions shows the sessions there are';
const MAX_SHOWN_CHARS = 140;

export function notFound(reference: string, directory: string): RuntimeError {
  const name = reference.slice(0, MAX_SHOWN_CHARS);
  return new RuntimeError('not_found', `session '${name}' not found in ${directory}`, {
    details: { thing: 'session', name, operation: 'resolve_session', hint: LIST_HINT },
  });
}

/** Said before any path is made of it. */
export function badReference(reference: string, problem: string): RuntimeError {
  const shown = reference.slice(0, MAX_SHOWN_CHARS);
  return new RuntimeError(
    'invalid_input',
    `session reference ${JSON.stringify(shown)} ${problem}`,
    {
      details: {
        operation: 'resolve_session',
        target: shown,
        hint: 'give an id of letters, digits, dots, dashes and underscores, or latest',
      },
    },
  );
}

export function alreadyExists(id: string, path: string): RuntimeError {
  return new RuntimeError('conflict', `session '${id}' already exists`, {
    details: { operation: 'create_session', target: path, hint: 'choose another id' },
  });
}

export interface LoadFault {
  readonly path: string;
  readonly reason: string;
  readonly line?: number | undefined;
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

export function loadFailed(id: string, fault: LoadFault): RuntimeError {
  const { path, reason, line, retryable = true, cause } = fault;
  const where = line === undefined ? '' : `line ${line}: `;
  return new RuntimeError(
    'storage_unavailable',
    `session '${id}' can't be read: ${where}${reason}`,
    {
      retryable,
      cause,
      details: {
        kind: 'session_load_failed',
        operation: 'load_session',
        target: path,
        ...defined({ line }),
        hint: line === undefined ? `look at ${path}` : `look at line ${line} of ${path}`,
      },
    },
  );
}

export function deleteFailed(id: string, path: string, cause: unknown): RuntimeError {
  const said = cause instanceof RuntimeError ? cause.message : describeSystemError(cause);
  return new RuntimeError('storage_unavailable', `session '${id}' can't be deleted: ${said}`, {
    cause,
    details: {
      kind: 'session_delete_failed',
      operation: 'delete_session',
      target: path,
      hint: hintFor(cause) ?? `look at ${path}`,
    },
  });
}

export function tooLarge(id: string, maxBytes: number): RuntimeError {
  return new RuntimeError('limit_reached', `session '${id}' would exceed ${maxBytes} bytes`, {
    details: { operation: 'append', target: id, hint: 'go on in a new session' },
  });
}

/** What the operating system refused. */
export function diskFault(operation: string, path: string, cause: unknown): RuntimeError {
  if (cause instanceof RuntimeError) return cause;
  const hint = hintFor(cause);
  const message = `${operation} ${path}: ${describeSystemError(cause)}`;
  return new RuntimeError('storage_unavailable', message, {
    cause,
    details: { operation, target: path, ...defined({ hint }) },
  });
}

/** `permission denied (EACCES)` of `EACCES: permission denied, open '/a/b'`. */
function describeSystemError(error: unknown): string {
  const said = error instanceof Error ? /^[A-Z0-9]+: ([^,]+)/.exec(error.message)?.[1] : undefined;
  return `${said ?? 'the system refused it'} (${errnoOf(error) ?? 'unknown fault'})`;
}

const HINTS: Readonly<Record<string, string>> = {
  EACCES: 'check who may read and write it, and the folders above it',
  EPERM: 'check who may read and write it, and the folders above it',
  EROFS: 'the file system is read-only: choose another folder with --directory',
  ENOSPC: 'free some disk space',
  EDQUOT: 'free some disk space',
  ENOTDIR: 'a part of the path is a file where a folder is needed',
  EISDIR: 'there is a folder where a file is needed',
};

function hintFor(cause: unknown): string | undefined {
  return HINTS[errnoOf(cause) ?? ''];
}
