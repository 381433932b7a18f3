import { RuntimeError } from '../../../../core/errors.ts';
import { isTerminal } from '../../../../core/runs/run.ts';
import type { RunDetail, RunEvent } from '../../../../operations/runs/run-shapes.ts';
import { getRun, type RunReading } from '../../../../operations/runs/runs.ts';
import { tailRun } from '../../ask/ask-runs.ts';
import type { Way } from '../../ask/ask-runtime.ts';

export interface FollowRun {
  readonly way: Pick<Way<RunReading>, 'ask' | 'stream'>;
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly onEvent: (event: RunEvent) => void;
}

/** Hands over every event of a run that is kept once, in order, until the run has ended. Throws `cancelled` when the signal aborts. */
export async function followRun({ way, runId, signal, onEvent }: FollowRun): Promise<RunDetail> {
  let after = 0;
  let hadEnded = false;
  for (;;) {
    const run = await way.ask(getRun, { params: { run_id: runId } });
    const hasEnded = isTerminal(run.status);
    // Of a run that has ended a stream brings all there is; the last may no longer be kept.
    if (hasEnded && after >= run.last_seq) return run;
    // Aborted in the middle, a stream ends like one that brought all.
    if (signal.aborted) throw new RuntimeError('cancelled', `stopped watching run ${runId}`);
    if (hasEnded && hadEnded) return run;
    hadEnded = hasEnded;
    for await (const page of tailRun(way, { runId, after, signal })) {
      for (const event of page) onEvent(event);
      after = page.at(-1)?.seq ?? after;
    }
  }
}
