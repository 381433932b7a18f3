import { RuntimeError } from '../../core/errors.ts';
import { type Database, loadDriver } from './driver.ts';
import { isBusy, toStorageFault } from './sqlite-fault.ts';

export interface ServerLock {
  close(): void;
}

/**
 * Holds a state root for one server. An open exclusive transaction on a file of its own: the operating system drops
 * the lock when the process ends, however it ends, so nothing stale has to be told from something alive.
 */
export function openServerLock(file: string): ServerLock {
  const db = lock(file);
  return {
    close() {
      if (db.isOpen) db.close();
    },
  };
}

function lock(file: string): Database {
  let db: Database | undefined;
  try {
    db = new (loadDriver().DatabaseSync)(file);
    // No log: in WAL mode an exclusive transaction would let a second one begin.
    db.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db?.close();
    if (!isBusy(error)) throw toStorageFault(error);
    const message = `another server uses this state root (it holds ${file}): stop it first, or set CLAW_ROOT to another directory`;
    throw new RuntimeError('conflict', message, { cause: error });
  }
}
