import type { Actor } from '../events/event.ts';
import type { Seal } from '../events/seal.ts';
import { faultPoint } from '../fault-point.ts';
import type { RunId } from '../ids.ts';
import { CANCELLED_MESSAGE } from '../sessions/end-message.ts';
import type { CancelResult, RunStore } from './run-store.ts';
import type { RunSlots } from './runner.ts';

export interface CancelRun {
  readonly runId: RunId;
  readonly reason: string;
  readonly actor: Actor;
  /** Leaves nothing in the conversation of a run that nobody executes: a thread at rest owes no answer. */
  readonly isQuiet?: boolean;
}

export interface CancelDeps {
  readonly runs: RunStore;
  readonly seal: Seal;
  readonly slots: RunSlots | undefined;
}

/** Durable and idempotent: a second wish, or one that comes after the end, changes nothing. */
export async function cancelRun(deps: CancelDeps, request: CancelRun): Promise<CancelResult> {
  faultPoint('cancel.before_record');
  const result = await deps.runs.requestCancel(request.runId, {
    requested: deps.seal({
      type: 'run.cancel_requested',
      actor: request.actor,
      payload: { reason: request.reason },
    }),
    cancelled: deps.seal({
      type: 'run.cancelled',
      payload: {
        status: 'cancelled',
        stop_reason: 'cancelled',
        reason: request.reason,
        output: '',
      },
      ...(request.isQuiet ? {} : { message: CANCELLED_MESSAGE }),
    }),
  });
  // A runner elsewhere hears of it with its next renewal; ours need not wait that long.
  deps.slots?.cancel(request.runId);
  return result;
}
