import type { Database } from '../driver.ts';
import { getRow } from '../rows.ts';

/**
 * A log goes on in a new part after so many events. The longer a part, the more pages of the index are written to at a
 * time; the shorter, the more often a part costs a row. Reading relies on the first part being no shorter.
 */
export const PART_EVENTS = 64;

/** Numbers of runs stay below: a first part has the number of its run. */
export const FIRST_PART_NO = 2 ** 40;

/** One of the parts of a run's log. */
export interface LogPart {
  readonly no: number;
  /** Of its first event; that of a run's first part is 1, also when that event is gone. */
  readonly firstSeq: number;
}

/** The part that an event belongs to, as an expression of SQL. */
export function partOf(runNo: string, seq: string): string {
  return `coalesce(
    (SELECT no FROM log_parts WHERE run_no = ${runNo} AND first_seq <= ${seq} ORDER BY first_seq DESC LIMIT 1),
    ${runNo})`;
}

/** The part with the newest event that there is: later ones may have lost all of theirs, though nobody should do that. */
export function newestPartOf(runNo: string): string {
  return `coalesce(
    (SELECT no FROM log_parts
      WHERE run_no = ${runNo} AND EXISTS (SELECT 1 FROM events WHERE part_no = log_parts.no)
      ORDER BY first_seq DESC LIMIT 1),
    ${runNo})`;
}

/** The number of the run that a part belongs to, as an expression of SQL. */
export function runOf(partNo: string): string {
  return `CASE WHEN ${partNo} < ${FIRST_PART_NO} THEN ${partNo}
    ELSE (SELECT run_no FROM log_parts WHERE log_parts.no = ${partNo}) END`;
}

export interface LogParts {
  /** The part with the event. */
  at(runNo: number, seq: number): LogPart;
  after(runNo: number, part: LogPart): LogPart | undefined;
  before(runNo: number, part: LogPart): LogPart | undefined;
}

export function createLogParts(db: Database): LogParts {
  const SELECT = 'SELECT no, first_seq AS firstSeq FROM log_parts WHERE run_no = ? AND first_seq';
  const selectBefore = db.prepare(`${SELECT} <= ? ORDER BY first_seq DESC LIMIT 1`);
  const selectAfter = db.prepare(`${SELECT} > ? ORDER BY first_seq LIMIT 1`);

  function at(runNo: number, seq: number): LogPart {
    const part = seq > PART_EVENTS ? getRow<LogPart>(selectBefore, runNo, seq) : undefined;
    return part ?? firstPart(runNo);
  }

  return {
    at,
    after: (runNo, { firstSeq }) => getRow<LogPart>(selectAfter, runNo, firstSeq),
    before: (runNo, part) => (part.no === runNo ? undefined : at(runNo, part.firstSeq - 1)),
  };
}

function firstPart(runNo: number): LogPart {
  return { no: runNo, firstSeq: 1 };
}
