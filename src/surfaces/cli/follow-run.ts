import { RuntimeError } from '../../core/errors.ts';
import type { Event } from '../../core/events/event.ts';
import type { RunId } from '../../core/ids.ts';
import { isTerminal, type Run } from '../../core/runs/run.ts';
import type { RunReader } from '../../core/runs/runs.ts';

export interface FollowRun {
  readonly runs: RunReader;
  readonly runId: RunId;
  readonly idleMs: number;
  readonly signal: AbortSignal;
  readonly onEvent: (event: Event) => void;
}

/** Hands over every event of a run that is kept once, in order, until the run has ended. Throws `cancelled` when the signal aborts. */
export async function followRun(request: FollowRun): Promise<Run> {
  const { runs, runId, idleMs, signal, onEvent } = request;
  let after = await runs.floor(runId);
  for (;;) {
    const run = await runs.get(runId);
    if (isTerminal(run.status) && after >= run.lastSeq) return run;
    if (signal.aborted) throw new RuntimeError('cancelled', `stopped watching run ${runId}`);
    for await (const page of runs.tail({ runId, after, idleMs, signal })) {
      for (const event of page) onEvent(event);
      after = page.at(-1)?.seq ?? after;
    }
  }
}
