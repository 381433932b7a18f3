import type { EventLog } from '../events/event-log.ts';
import type { RunId } from '../ids.ts';
import type { LogHead, RecordStore } from './record-store.ts';
import { isGone, type LogFaultReason, type RunVerdict, verifyRun } from './verify-run.ts';

interface LogFault {
  /** Undefined when the rows themselves can't be read any further. */
  readonly runId: RunId | undefined;
  /** The first event at fault. */
  readonly seq: number | undefined;
  readonly reason: LogFaultReason;
}

export interface LogReport {
  readonly runs: number;
  /** Of these, runs whose oldest events are no longer kept: checked from the hash that was left of the last of them. */
  readonly prunedRuns: number;
  /** Events whose hashes were recomputed. */
  readonly events: number;
  readonly faults: readonly LogFault[];
  /** False when the signal came before the end: some runs were looked at, the rest was not. */
  readonly isComplete: boolean;
}

export const EMPTY_LOG: LogReport = {
  runs: 0,
  prunedRuns: 0,
  events: 0,
  faults: [],
  isComplete: true,
};

export interface LogStore {
  readonly records: RecordStore;
  readonly events: EventLog;
}

export interface VerifyLogOptions {
  /** This run instead of all. */
  readonly only?: RunId;
  /** Which runs to look at; all when absent. */
  readonly includes?: (runId: RunId) => boolean;
  /** Where the log's hash of a run is wanted, for `onRun`. */
  readonly compareAt?: (runId: RunId) => number | undefined;
  readonly onRun?: (head: LogHead, verdict: RunVerdict) => void;
  readonly onProgress?: (checked: { readonly runs: number; readonly events: number }) => void;
  readonly signal?: AbortSignal;
}

/** With their texts, which may be long. */
const HEADS_PER_PAGE = 50;
/** Of every broken run the first fault, of this many runs. */
export const MAX_FAULTS = 1_000;

/**
 * Recomputes the hash chain of every run in the database and compares its row with its events, last id first. Runs
 * that begin meanwhile may be left out.
 */
export async function verifyLog(store: LogStore, options: VerifyLogOptions): Promise<LogReport> {
  const { includes = () => true, compareAt, signal } = options;
  const faults: LogFault[] = [];
  const report = { runs: 0, prunedRuns: 0, events: 0 };
  for await (const page of listAll(store.records, options.only)) {
    if (page === 'unreadable') {
      faults.push({ runId: undefined, seq: undefined, reason: 'unreadable' });
      break;
    }
    for (const head of page) {
      if (!includes(head.runId)) continue;
      const at = { compareAt: compareAt?.(head.runId), signal };
      const verdict = await verifyRun(store.events, head, at);
      report.events += verdict.checked;
      if (!verdict.isComplete) return { ...report, faults, isComplete: false };
      report.runs += 1;
      if (verdict.isPruned) report.prunedRuns += 1;
      if (verdict.fault && faults.length < MAX_FAULTS) {
        faults.push({ runId: head.runId, ...verdict.fault });
      }
      options.onRun?.(head, verdict);
      options.onProgress?.({ runs: report.runs, events: report.events });
    }
  }
  return { ...report, faults, isComplete: true };
}

async function* listAll(
  records: RecordStore,
  only: RunId | undefined,
): AsyncGenerator<readonly LogHead[] | 'unreadable'> {
  if (only !== undefined) {
    const head = await records.findHead(only);
    if (head) yield [head];
    return;
  }
  let before: RunId | undefined;
  for (;;) {
    const page = await readHeads(records, before);
    yield page;
    if (page === 'unreadable' || page.length < HEADS_PER_PAGE) return;
    before = page.at(-1)?.runId;
  }
}

async function readHeads(
  records: RecordStore,
  before: RunId | undefined,
): Promise<LogHead[] | 'unreadable'> {
  try {
    return await records.listHeads({ limit: HEADS_PER_PAGE, ...(before && { before }) });
  } catch (thrown) {
    if (isGone(thrown)) throw thrown;
    return 'unreadable';
  }
}
