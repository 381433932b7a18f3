import { RuntimeError } from '../../core/errors.ts';
import { errnoOf } from '../../platform/errno-of.ts';

/** Nothing of it can be trusted, and nothing was restored of it. */
export function damagedArchive(file: string, problem: string, cause?: unknown): RuntimeError {
  return new RuntimeError('invalid_input', `${file} ${problem}`, {
    cause,
    details: { fix: 'use another copy of the backup' },
  });
}

/** Somebody who pressed Ctrl-C is told so, whatever broke because of it. */
export function unlessAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new RuntimeError('cancelled', 'interrupted');
}

/** A refusal of the file system, as one that the operator can do something about; undefined for anything else. */
export function findDiskFault(work: string, thrown: unknown): RuntimeError | undefined {
  const code = errnoOf(thrown);
  // Streams and zlib have codes too.
  if (code === undefined || !/^E(?!RR_)[A-Z0-9]+$/.test(code)) return undefined;
  return new RuntimeError('storage_unavailable', `${work} failed (${code})`, {
    cause: thrown,
    details: { fix: 'see that the folder is there, can be written and has room' },
  });
}
