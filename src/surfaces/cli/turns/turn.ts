import type { StopReason } from '../../../core/runs/run.ts';
import type { RunDetail } from '../../../operations/runs/run-shapes.ts';
import type { AwaitedRun } from '../await-run-end.ts';
import type { ErrorBlock } from '../failure.ts';
import { toRunFault } from '../run-fault.ts';
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
  readonly run: RunDetail | undefined;
}

/** A run that failed has no turn to show for it: there is no answer, and none of the reasons to stop fits. */
export type TurnOutcome =
  | { readonly outcome: 'ended'; readonly turn: Turn }
  | { readonly outcome: 'failed'; readonly run: RunDetail; readonly fault: ErrorBlock };

/** A turn for which nothing was submitted any more. */
export function skippedTurn(prompt: string, stopReason: TurnStop): Turn {
  return { prompt, output: '', stopReason, cancelObserved: false, run: undefined };
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

export function toTurnOutcome(prompt: string, awaited: AwaitedRun): TurnOutcome {
  const { run, stoppedBy } = awaited;
  if (stoppedBy === 'approval') return { outcome: 'failed', run, fault: needsApproval(run) };
  const stopReason = stoppedBy === undefined ? STOPS[toStopReason(run)] : STOPPED[stoppedBy];
  if (stopReason === undefined) return { outcome: 'failed', run, fault: toRunFault(run) };
  const cancelObserved = run.status === 'cancelled';
  return {
    outcome: 'ended',
    turn: { prompt, output: run.output, stopReason, cancelObserved, run },
  };
}

function toStopReason({ stop_reason: reason }: RunDetail): StopReason {
  return reason !== null && Object.hasOwn(STOPS, reason) ? (reason as StopReason) : 'failed';
}

function needsApproval(run: RunDetail): ErrorBlock {
  return {
    kind: 'policy',
    operation: 'approve',
    target: run.id,
    retryable: false,
    message: 'a call needs the approval of a person, so the run was cancelled',
    hint: 'with claw ask the run waits instead, until claw approvals approve or deny decides',
  };
}
