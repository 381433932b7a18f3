import type { AgentId, RunId } from '../ids.ts';

/** How far the records of one run have got. */
export interface RecordCursor {
  readonly agentId: AgentId;
  /** When the run's first event was stored, by the store's clock. */
  readonly bornMs: number;
  /** Lines up to this `seq` are in the audit files. Undefined: nobody knows, the files must be asked. */
  seq: number | undefined;
  /** `ended`: all lines are written. `finished`: the bundle too. */
  stage: 'open' | 'ended' | 'finished';
  /** The run's last `seq`, once the store says that it is the last, whether or not it is still there to be read. */
  closedSeq: number | undefined;
}

export interface RecordCursors {
  find(id: RunId): RecordCursor | undefined;
  add(id: RunId, cursor: RecordCursor): void;
  /** Its bundle is written, and so are all of its records if its lines are. */
  finish(id: RunId): void;
  /** Whether files may hold lines of a run that has no cursor here. */
  mayHaveLines(bornMs: number): boolean;
  /** Runs that old, or older, may have lines that nobody remembers. */
  forgetUntil(bornMs: number): void;
}

/**
 * Remembers the runs touched last. A run born after everything forgotten is new for sure and costs no look into the
 * files, which is what keeps the ordinary case cheap; all times compared are the store's own.
 */
export function createRecordCursors(maxCursors: number): RecordCursors {
  const cursors = new Map<RunId, RecordCursor>();
  let forgottenMs = Number.NEGATIVE_INFINITY;

  function forgetUntil(bornMs: number): void {
    forgottenMs = Math.max(forgottenMs, bornMs);
  }

  return {
    find(id) {
      const cursor = cursors.get(id);
      if (cursor === undefined) return undefined;
      cursors.delete(id);
      cursors.set(id, cursor);
      return cursor;
    },
    add(id, cursor) {
      cursors.set(id, cursor);
      if (cursors.size <= maxCursors) return;
      const oldest = cursors.entries().next().value;
      if (oldest === undefined) return;
      cursors.delete(oldest[0]);
      forgetUntil(oldest[1].bornMs);
    },
    finish(id) {
      const cursor = cursors.get(id);
      if (cursor?.stage === 'ended') cursor.stage = 'finished';
    },
    mayHaveLines: (bornMs) => bornMs <= forgottenMs,
    forgetUntil,
  };
}
