import { toRuntimeError } from '../errors.ts';
import type { Event } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import { CHAIN_START, type ChainPosition, verifyChain } from '../events/hash-chain.ts';
import { isStaleCursor } from '../events/stale-cursor.ts';
import type { RunId } from '../ids.ts';
import type { Run } from '../runs/run.ts';
import type { RunStore } from '../runs/run-store.ts';

export interface LogFault {
  readonly runId: RunId;
  /** The first event at fault. */
  readonly seq: number;
  readonly reason:
    | 'seq_gap'
    | 'prev_hash_mismatch'
    | 'hash_mismatch'
    | 'missing_events'
    | 'unreadable';
}

export interface LogReport {
  readonly runs: number;
  /** Of these, runs whose oldest events are no longer kept: checked from the hash that was left of the last of them. */
  readonly prunedRuns: number;
  /** Events whose hashes were recomputed. */
  readonly events: number;
  readonly faults: readonly LogFault[];
  /** False when the signal came before the end: the newest runs were looked at, the rest was not. */
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
  readonly runs: Pick<RunStore, 'list'>;
  readonly events: EventLog;
}

export interface VerifyLogOptions {
  /** This run instead of all. */
  readonly only?: Run;
  readonly onProgress?: (checked: { readonly runs: number; readonly events: number }) => void;
  readonly signal?: AbortSignal;
}

const RUNS_PER_PAGE = 200;
const EVENTS_PER_PAGE = 500;
/** Of every broken run the first fault, of this many runs. */
const MAX_FAULTS = 1_000;

/**
 * Recomputes the hash chain of every run in the database, newest run first. Runs that begin meanwhile are not looked
 * at.
 */
export async function verifyLog(store: LogStore, options: VerifyLogOptions): Promise<LogReport> {
  const faults: LogFault[] = [];
  let runs = 0;
  let prunedRuns = 0;
  let events = 0;
  for await (const page of options.only ? [[options.only]] : listAll(store)) {
    for (const run of page) {
      const verdict = await verifyRun(store, run, options.signal);
      events += verdict.checked;
      if (!verdict.isComplete) return { runs, prunedRuns, events, faults, isComplete: false };
      runs += 1;
      if (verdict.isPruned) prunedRuns += 1;
      if (verdict.fault && faults.length < MAX_FAULTS) faults.push(verdict.fault);
      options.onProgress?.({ runs, events });
    }
  }
  return { runs, prunedRuns, events, faults, isComplete: true };
}

async function* listAll(store: LogStore): AsyncGenerator<readonly Run[]> {
  let before: RunId | undefined;
  do {
    const page = await store.runs.list({
      limit: RUNS_PER_PAGE,
      ...(before === undefined ? {} : { before }),
    });
    yield page.runs;
    before = page.next;
  } while (before !== undefined);
}

interface RunVerdict {
  readonly checked: number;
  readonly isPruned: boolean;
  readonly fault: LogFault | undefined;
  readonly isComplete: boolean;
}

async function verifyRun(
  store: LogStore,
  run: Run,
  signal: AbortSignal | undefined,
): Promise<RunVerdict> {
  let last: ChainPosition = CHAIN_START;
  let checked = 0;
  let isPruned = false;
  const end = (fault?: Omit<LogFault, 'runId'>): RunVerdict => ({
    checked,
    isPruned,
    fault: fault && { runId: run.id, ...fault },
    isComplete: true,
  });
  // Up to where the row said when it was read: a live run goes on and can wait for the next check.
  while (last.seq < run.lastSeq) {
    if (signal?.aborted) return { ...end(), isComplete: false };
    const page = await readPage(store.events, run.id, last.seq);
    if (page === 'stale') {
      isPruned = true;
      last = await store.events.anchor(run.id);
      continue;
    }
    if (page === 'unreadable') return end({ seq: last.seq + 1, reason: 'unreadable' });
    if (page.length === 0) return end({ seq: last.seq + 1, reason: 'missing_events' });
    const verdict = verifyChain(page, last);
    checked += (verdict.ok ? verdict.last.seq : verdict.seq - 1) - last.seq;
    if (!verdict.ok) return end({ seq: verdict.seq, reason: verdict.reason });
    last = verdict.last;
  }
  return end();
}

async function readPage(
  log: EventLog,
  runId: RunId,
  after: number,
): Promise<Event[] | 'stale' | 'unreadable'> {
  try {
    return await log.read(runId, { after, limit: EVENTS_PER_PAGE });
  } catch (thrown) {
    if (isStaleCursor(thrown)) return 'stale';
    // A payload that is no JSON any more can't be decoded; a store that is gone is another matter.
    if (toRuntimeError(thrown).code === 'storage_unavailable') throw thrown;
    return 'unreadable';
  }
}
