import { RuntimeError } from '../../core/errors.ts';
import { type FileLock, tryFileLock } from './file-lock.ts';

/** Holds a state root for one server, or says that another one does. */
export function openServerLock(file: string): FileLock {
  const lock = tryFileLock(file);
  if (lock) return lock;
  throw new RuntimeError(
    'conflict',
    `another server uses this state root (it holds ${file}): stop it first, or set CLAW_ROOT to another directory`,
  );
}
