import { RUN_ID_PATTERN, type RunId } from '../../core/ids.ts';
import type { Run } from '../../core/runs/run.ts';
import type { CancelResult, RunPage } from '../../core/runs/run-store.ts';
import type { RunTrace } from '../../core/runs/trace.ts';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import { encodeRunSummary, encodeTrace, takeFittingRuns } from '../http/run-codec.ts';
import type { CancelReceipt, RunDetail, RunList } from './schema.ts';

export function encodeRun(run: Run, trace: RunTrace): RunDetail {
  return { ...encodeRunSummary(run), trace: encodeTrace(trace) };
}

/** The page, or as much of it from the start as fits into one answer; the next page begins behind it. */
export function encodeRunPage(page: RunPage): RunList {
  const runs = takeFittingRuns(page.runs);
  const next = runs.length < page.runs.length ? runs.at(-1)?.id : page.next;
  return {
    runs: runs.map(encodeRunSummary),
    next_cursor: next === undefined ? null : encodeCursor(next),
    ...(page.unreadable === undefined ? {} : { unreadable_run_ids: [...page.unreadable] }),
  };
}

export function encodeCancelResult(result: CancelResult): CancelReceipt {
  const { run, recorded } = result;
  return {
    id: run.id,
    status: run.status,
    cancel_requested: recorded || run.status === 'cancelling' || run.status === 'cancelled',
    idempotent_replay: !recorded,
  };
}

export function decodeRunCursor(cursor: string): RunId {
  return decodeCursor(cursor, (place) => RUN_ID_PATTERN.test(place)) as RunId;
}
