import { defined } from '../../../core/defined.ts';
/** What the operating system refused, in the words of an error block. */
export interface SystemFault {
  /** The call: `open`, `mkdir`, `rename`. */
  readonly operation: string;
  readonly target: string;
  readonly message: string;
  readonly hint?: string;
}

/** Undefined unless the system itself refused something with a path, so that it is no defect of ours. */
export function findSystemFault(thrown: unknown): SystemFault | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { code, syscall, path } = thrown as NodeJS.ErrnoException;
  if (syscall === 'uv_cwd') return REMOVED_DIRECTORY;
  if (code === undefined || syscall === undefined || path === undefined) return undefined;
  // `EACCES: permission denied, open '/etc/shadow'`
  const said = /^[A-Z0-9]+: ([^,]+), /.exec(thrown.message)?.[1] ?? 'the system refused it';
  const hint = HINTS[code];
  return {
    operation: syscall,
    target: path,
    message: `${syscall} ${path}: ${said} (${code})`,
    ...defined({ hint }),
  };
}

const REMOVED_DIRECTORY = {
  operation: 'getcwd',
  target: '.',
  message: 'the working directory does not exist any more',
  hint: 'change to another directory',
};

const HINTS: Readonly<Record<string, string>> = {
  EACCES: 'check who may read and write it, and the folders above it',
  EPERM: 'check who may read and write it, and the folders above it',
  EROFS: 'the file system is read-only: choose another place with --root',
  ENOSPC: 'free some disk space',
  EDQUOT: 'free some disk space',
  ENOENT: 'the folder above it does not exist: create it first',
  ENOTDIR: 'a part of the path is a file where a folder is needed',
  EISDIR: 'there is a folder where a file is needed',
  ENAMETOOLONG: 'choose a shorter path',
};
