import { RuntimeError } from '../../core/errors.ts';

/** SQLite's primary result codes that an operator can act on. */
const FAULTS: ReadonlyMap<number, string> = new Map([
  [5, 'the database is locked by another process'],
  [6, 'the database is locked by another process'],
  [8, 'the database is read-only'],
  [10, 'the disk failed'],
  [11, 'the database is corrupt'],
  [13, 'the disk is full'],
  [14, 'the database file could not be opened'],
  [23, 'access to the database file was denied'],
  [26, 'the file is not a SQLite database'],
]);

const BUSY = 5;
/** Met by the reads that come across the damage; others go on. */
const CORRUPT = 11;

/** Anything thrown by the driver, as a fault of the storage. Bugs of ours come out as `internal`, not as the disk's. */
export function toStorageFault(thrown: unknown): RuntimeError {
  if (thrown instanceof RuntimeError) return thrown;
  const code = primaryCode(thrown);
  if (code === undefined) return new RuntimeError('internal', 'internal error', { cause: thrown });
  const reason = FAULTS.get(code);
  if (reason === undefined) {
    const message = `the database refused a statement (sqlite ${code})`;
    return new RuntimeError('internal', message, { cause: thrown });
  }
  return new RuntimeError('storage_unavailable', `storage is unavailable: ${reason}`, {
    cause: thrown,
    details: { sqliteCode: code, ...(code === CORRUPT ? { damaged: true } : {}) },
  });
}

export function isBusy(thrown: unknown): boolean {
  return primaryCode(thrown) === BUSY;
}

/** Extended codes carry the primary one in their low byte. */
function primaryCode(thrown: unknown): number | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('errcode' in thrown)) return undefined;
  return typeof thrown.errcode === 'number' ? thrown.errcode & 0xff : undefined;
}
