import { RuntimeError, toRuntimeError } from '../../../../core/errors.ts';
import { isTerminal } from '../../../../core/runs/run.ts';
import type { RunDetail, RunEvent } from '../../../../operations/runs/run-shapes.ts';
import { cancelRun, getRun, type RunWriting } from '../../../../operations/runs/runs.ts';
import type { Way } from '../../ask/ask-runtime.ts';
import type { Stop, StopCause } from '../../stop.ts';
import { followRun } from './follow-run.ts';

export interface AwaitRunEnd {
  readonly way: Pick<Way<RunWriting>, 'ask' | 'stream'>;
  readonly runId: string;
  readonly stop: Stop;
  readonly onEvent: (event: RunEvent) => void;
  /** Told before the run is cancelled. */
  readonly onStop: (cause: StopCause) => void;
  /** A run that waits for an approval is left waiting instead of cancelled. */
  readonly leavesWaiting?: boolean;
}

export type AwaitedRun = SeenRun | LostRun;

interface SeenRun {
  /** Open when it did not end in time after it was cancelled. */
  readonly run: RunDetail;
  /** Why it was cancelled. Undefined when it ended by itself, also while it was being cancelled. */
  readonly stoppedBy: StopCause | undefined;
  readonly cancelFault?: undefined;
}

interface LostRun {
  readonly run?: undefined;
  readonly stoppedBy: StopCause;
  /** Why nobody knows whether it was cancelled. */
  readonly cancelFault: RuntimeError;
}

/** A cancelled run ends within moments unless its runner is gone; then the wish is on record and nobody need wait. */
const CANCEL_WAIT_MS = 5_000;

/** Follows a run to its end. When it is told to stop before, the run is cancelled durably and given a moment to end. */
export async function awaitRunEnd(request: AwaitRunEnd): Promise<AwaitedRun> {
  const { way, runId, stop, onEvent } = request;
  const follow = { way, runId };
  const params = { run_id: runId };
  try {
    const ended = await unlessAborted(
      stop.signal,
      followRun({ ...follow, signal: stop.signal, onEvent }),
    );
    return { run: ended, stoppedBy: undefined };
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
  const stoppedBy = stop.cause ?? 'interrupt';
  if (stoppedBy === 'approval' && request.leavesWaiting) {
    return { run: await way.ask(getRun, { params }), stoppedBy };
  }
  request.onStop(stoppedBy);
  const patience = AbortSignal.timeout(CANCEL_WAIT_MS);
  try {
    const cancelled = await unlessAborted(
      patience,
      way
        .ask(cancelRun, { params, body: { reason: stoppedBy } })
        .then(() => way.ask(getRun, { params })),
    );
    const ending = followRun({ ...follow, signal: patience, onEvent: () => {} });
    const last = await unlessAborted(patience, ending).catch(() => cancelled);
    const hasEndedItself = isTerminal(last.status) && last.status !== 'cancelled';
    return { run: last, stoppedBy: hasEndedItself ? undefined : stoppedBy };
  } catch (thrown) {
    return { stoppedBy, cancelFault: toRuntimeError(thrown) };
  }
}

/** The work's result, or a `cancelled` error as soon as the signal aborts: a lost server must not hold up the prompt. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    const stop = () =>
      reject(new RuntimeError('cancelled', 'the run could not be cancelled in time'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  return Promise.race([work, aborted]);
}
