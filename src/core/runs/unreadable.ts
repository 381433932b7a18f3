import { RuntimeError } from '../errors.ts';
import type { RunId } from '../ids.ts';
import { RUN_STATUSES, type Run, type RunStatus } from './run.ts';
import type { RunPage } from './run-store.ts';

/** What the store holds of a run is no run: somebody or something changed its row. */
export function unreadableRun(runId: RunId, cause: unknown): RuntimeError {
  const message = `run ${runId} can not be read: its row is damaged`;
  return new RuntimeError('internal', message, { cause, details: { run_id: runId } });
}

/** Those rows that can be read, and the ids of those that can't: one damaged row must not hide all others. */
export function sortOutUnreadable<Row extends { readonly id: string }, Thing>(
  rows: readonly Row[],
  decode: (row: Row) => Thing,
): { readonly readable: Thing[]; readonly unreadable: readonly RunId[] } {
  const readable: Thing[] = [];
  const unreadable: RunId[] = [];
  for (const row of rows) {
    try {
      readable.push(decode(row));
    } catch {
      unreadable.push(row.id as RunId);
    }
  }
  return { readable, unreadable };
}

/** Rows are one more than asked for when there is a next page. */
export function toRunPage<Row extends { readonly id: string }>(
  rows: readonly Row[],
  size: number,
  decode: (row: Row) => Run,
): RunPage {
  const page = rows.slice(0, size);
  const { readable, unreadable } = sortOutUnreadable(page, decode);
  return {
    runs: readable,
    ...(unreadable.length === 0 ? {} : { unreadable }),
    next: rows.length > size ? (page.at(-1)?.id as RunId | undefined) : undefined,
  };
}

export function parseStatus(stored: string): RunStatus {
  const status = RUN_STATUSES.find((known) => known === stored);
  if (status === undefined) throw new RangeError(`${stored} is no status of a run`);
  return status;
}
