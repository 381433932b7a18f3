import { toRuntimeError } from '../../core/errors.ts';
import { CHAIN_START, type ChainPosition, verifyChain } from '../../core/events/hash-chain.ts';
import type { RunId } from '../../core/ids.ts';
import type { Run } from '../../core/runs/run.ts';
import type { ReadOnlyStore } from './context.ts';

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
  readonly events: number;
  readonly faults: readonly LogFault[];
}

export interface VerifyLogOptions {
  /** This run instead of all. */
  readonly only?: Run;
  readonly onProgress: (checked: { readonly runs: number; readonly events: number }) => void;
}

const RUNS_PER_PAGE = 200;
const EVENTS_PER_PAGE = 500;
/** Of every broken run the first fault, of this many runs. */
const MAX_FAULTS = 1_000;

/** Recomputes the hash chain of every run in the database. Runs that begin meanwhile are not looked at. */
export async function verifyLog(
  store: ReadOnlyStore,
  options: VerifyLogOptions,
): Promise<LogReport> {
  const faults: LogFault[] = [];
  let runs = 0;
  let events = 0;
  for await (const page of options.only ? [[options.only]] : listAll(store)) {
    for (const run of page) {
      const verdict = await verifyRun(store, run);
      runs += 1;
      events += verdict.checked;
      if (verdict.fault && faults.length < MAX_FAULTS) faults.push(verdict.fault);
      options.onProgress({ runs, events });
    }
  }
  return { runs, events, faults };
}

async function* listAll(store: ReadOnlyStore): AsyncGenerator<readonly Run[]> {
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

async function verifyRun(
  store: ReadOnlyStore,
  run: Run,
): Promise<{ readonly checked: number; readonly fault: LogFault | undefined }> {
  let last: ChainPosition = CHAIN_START;
  const failed = (seq: number, reason: LogFault['reason']) => ({
    checked: last.seq,
    fault: { runId: run.id, seq, reason },
  });
  // Up to where the row said when it was read: a live run goes on and can wait for the next check.
  while (last.seq < run.lastSeq) {
    let page: Awaited<ReturnType<ReadOnlyStore['events']['read']>>;
    try {
      page = await store.events.read(run.id, { after: last.seq, limit: EVENTS_PER_PAGE });
    } catch (thrown) {
      // A payload that is no JSON any more can't be decoded; a store that is gone is another matter.
      if (toRuntimeError(thrown).code === 'storage_unavailable') throw thrown;
      return failed(last.seq + 1, 'unreadable');
    }
    if (page.length === 0) return failed(last.seq + 1, 'missing_events');
    const verdict = verifyChain(page, last);
    if (!verdict.ok) return failed(verdict.seq, verdict.reason);
    last = verdict.last;
  }
  return { checked: last.seq, fault: undefined };
}
