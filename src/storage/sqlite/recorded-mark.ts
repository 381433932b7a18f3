import { openDatabase } from './open-database.ts';
import { toStorageFault } from './sqlite-fault.ts';

/** Which runs had their records in the files at one moment: all but these, and but those that came later. */
export interface RecordedMark {
  readonly newestNo: number;
  readonly unrecordedNos: readonly number[];
}

export function readRecordedMark(file: string): RecordedMark {
  const db = openDatabase({ file, readOnly: true });
  try {
    const newest = db.prepare('SELECT max(no) AS no FROM runs').get();
    const unrecorded = db.prepare('SELECT no FROM runs WHERE recorded = 0').all();
    return {
      newestNo: Number(newest?.['no'] ?? 0),
      unrecordedNos: unrecorded.map(({ no }) => Number(no)),
    };
  } catch (error) {
    throw toStorageFault(error);
  } finally {
    db.close();
  }
}

/**
 * In a copy of the database: runs that were recorded after the mark are to be recorded again. The files beside the copy
 * are older than it, and may lack what was written for them. A recorder asks the files what they have, so that nothing
 * is in them twice.
 */
export function forgetRecordsAfter(file: string, mark: RecordedMark): void {
  const db = openDatabase({ file, readOnly: false });
  try {
    db.prepare(
      `UPDATE runs SET recorded = 0, audited_seq = 0, bundled = 0
       WHERE no > ? OR no IN (SELECT value FROM json_each(?))`,
    ).run(mark.newestNo, JSON.stringify(mark.unrecordedNos));
  } catch (error) {
    throw toStorageFault(error);
  } finally {
    db.close();
  }
}
