import { chmodSync, statSync } from 'node:fs';
import { connect, type Database } from './driver.ts';
import { createPrivate } from './open-database.ts';
import { isBusy, toStorageFault } from './sqlite-fault.ts';

export interface FileLock {
  close(): void;
}

/**
 * A lock between processes: an open exclusive transaction on a file of its own. The operating system drops it when
 * the process ends, however it ends, so nothing stale has to be told from something alive. Undefined while another
 * process holds it.
 */
export function tryFileLock(file: string): FileLock | undefined {
  let db: Database | undefined;
  try {
    createPrivate(file);
    makePrivate(file);
    db = connect(file, { readOnly: false });
    // No log: in WAL mode an exclusive transaction would let a second one begin.
    db.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    return toLock(db);
  } catch (error) {
    db?.close();
    if (!isBusy(error)) throw toStorageFault(error);
    return undefined;
  }
}

/** Older versions made it readable for everybody. Where it is not ours to change, the lock works all the same. */
function makePrivate(file: string): void {
  try {
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  } catch {}
}

/** Whoever forgets his lock holds it all the same: a connection that nobody refers to is closed by the garbage collector. */
const held = new Set<Database>();

function toLock(db: Database): FileLock {
  held.add(db);
  return {
    close() {
      held.delete(db);
      if (db.isOpen) db.close();
    },
  };
}
