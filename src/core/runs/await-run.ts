import { RuntimeError } from '../errors.ts';
import type { NewsEvent } from '../events/event.ts';
import type { RunId } from '../ids.ts';
import { isTerminal, type Run } from './run.ts';
import type { Runs } from './runs.ts';

/** How long one wait for the next event lasts before the run is looked at again. */
const IDLE_MS = 60_000;

export interface WatchRun {
  readonly runId: RunId;
  readonly signal: AbortSignal;
  /** What happens from now on, in order. */
  readonly onEvents: (events: readonly NewsEvent[]) => void;
}

/** Waits until a run has ended. Rejects when the signal aborts first; the run itself goes on. */
export function awaitRun(
  runs: Pick<Runs, 'get' | 'tail'>,
  runId: RunId,
  signal: AbortSignal,
): Promise<Run> {
  return watchRun(runs, { runId, signal, onEvents: () => {} });
}

/** The same for one who wants to see what happens meanwhile. */
export async function watchRun(
  runs: Pick<Runs, 'get' | 'tail'>,
  { runId, signal, onEvents }: WatchRun,
): Promise<Run> {
  let after: number | undefined;
  for (;;) {
    const run = await runs.get(runId);
    // What happened before is of no interest, and may no longer be kept.
    after ??= run.lastSeq;
    if (isTerminal(run.status)) return run;
    if (signal.aborted) throw new RuntimeError('cancelled', `stopped waiting for run ${runId}`);
    for await (const page of runs.tail({ runId, after, idleMs: IDLE_MS, signal })) {
      after = page.at(-1)?.seq ?? after;
      onEvents(page);
    }
  }
}
