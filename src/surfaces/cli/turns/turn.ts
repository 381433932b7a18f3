import type { StopReason } from '../../../core/runs/run.ts';
import type { RunDetail } from '../../../operations/runs/run-shapes.ts';
import type { AwaitedRun } from '../commands/runs/await-run-end.ts';
import { toRunFault } from '../commands/runs/run-fault.ts';
import type { ErrorBlock } from '../program/failure.ts';
import type { StopCause } from '../stop.ts';

export type TurnStop =
  | 'completed'
  | 'timeout'
  | 'cancelled'
  | 'max_budget_reached'
  | 'max_turns_reached';

/** One prompt and what came of it. */
export interface Turn {
  readonly prompt: string;
  readonly output: string;
  readonly stopReason: TurnStop;
  /** The run was seen to have ended as cancelled: nothing can come of it any more. */
  readonly cancelObserved: boolean;
  /** Undefined when nothing was submitted. */
  readonly runId: string | undefined;
  /** Undefined also when its server was lost before it was seen. */
  readonly run: RunDetail | undefined;
}

/** A run that failed has no turn to show for it: there is no answer, and none of the reasons to stop fits. */
export type TurnOutcome =
  | { readonly outcome: 'ended'; readonly turn: Turn }
  | { readonly outcome: 'failed'; readonly runId: string; readonly fault: ErrorBlock };

/** A turn for which nothing was submitted any more. */
export function skippedTurn(prompt: string, stopReason: TurnStop): Turn {
  return {
    prompt,
    output: '',
    stopReason,
    cancelObserved: false,
    runId: undefined,
    run: undefined,
  };
}

/** Loops, requests for guidance and answers that were cut are answers too: the run is complete, and its text says what is the matter. */
const STOPS: Readonly<Record<StopReason, TurnStop | undefined>> = {
  completed: 'completed',
  loop_detected: 'completed',
  needs_guidance: 'completed',
  length: 'completed',
  content_filter: 'completed',
  cancelled: 'cancelled',
  timeout: 'timeout',
  max_turns_reached: 'max_turns_reached',
  max_budget_reached: 'max_budget_reached',
  failed: undefined,
};

const STOPPED: Readonly<Record<Exclude<StopCause, 'approval'>, TurnStop>> = {
  interrupt: 'cancelled',
  timeout: 'timeout',
  budget: 'max_budget_reached',
};

export function toTurnOutcome(
  submitted: { readonly prompt: string; readonly runId: string },
  { run, stoppedBy }: AwaitedRun,
): TurnOutcome {
  const { runId } = submitted;
  if (stoppedBy === 'approval') return { outcome: 'failed', runId, fault: needsApproval(runId) };
  const end = (stopReason: TurnStop): TurnOutcome => {
    const cancelObserved = run?.status === 'cancelled';
    const output = run?.output ?? '';
    return { outcome: 'ended', turn: { ...submitted, output, stopReason, cancelObserved, run } };
  };
  if (stoppedBy !== undefined) return end(STOPPED[stoppedBy]);
  const stopReason = STOPS[toStopReason(run)];
  return stopReason === undefined
    ? { outcome: 'failed', runId, fault: toRunFault(run) }
    : end(stopReason);
}

function toStopReason({ stop_reason: reason }: RunDetail): StopReason {
  return reason !== null && Object.hasOwn(STOPS, reason) ? (reason as StopReason) : 'failed';
}

function needsApproval(runId: string): ErrorBlock {
  return {
    kind: 'policy',
    operation: 'approve',
    target: runId,
    retryable: false,
    message: 'a call needs the approval of a person, so the run was cancelled',
    hint: 'with claw ask the run waits instead, until claw approvals approve or deny decides',
  };
}
