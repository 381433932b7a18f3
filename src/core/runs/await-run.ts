import { RuntimeError } from '../errors.ts';
import type { RunId } from '../ids.ts';
import { isTerminal, type Run } from './run.ts';
import type { Runs } from './runs.ts';

/** How long one wait for the next event lasts before the run is looked at again. */
const IDLE_MS = 60_000;

/** Waits until a run has ended. Rejects when the signal aborts first; the run itself goes on. */
export async function awaitRun(runs: Runs, runId: RunId, signal: AbortSignal): Promise<Run> {
  let after = 0;
  for (;;) {
    const run = await runs.get(runId);
    // What happened before is of no interest, and may no longer be kept.
    after = Math.max(after, run.lastSeq);
    if (isTerminal(run.status)) return run;
    if (signal.aborted) throw new RuntimeError('cancelled', `stopped waiting for run ${runId}`);
    for await (const page of runs.tail({ runId, after, idleMs: IDLE_MS, signal })) {
      after = page.at(-1)?.seq ?? after;
    }
  }
}
