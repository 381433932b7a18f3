import type { Actor } from '../events/event.ts';
import type { Seal } from '../events/seal.ts';
import { encodeEnd } from '../loop/encode-end.ts';
import { CANCELLED_MESSAGE } from '../sessions/end-message.ts';
import { NO_TOTALS, type RunEnd } from './run.ts';
import type { CancelDrafts } from './run-store.ts';

/** When nobody gave one. */
export const CANCEL_REASON = 'cancel requested';

export interface CancelWish {
  readonly reason: string;
  readonly actor: Actor;
  /** How a run that somebody executed before ends; absent: nothing is known of it. */
  readonly end?: RunEnd;
  /** Leaves nothing in the conversation: nobody waits for an answer. */
  readonly isQuiet?: boolean;
}

export function toCancelDrafts(
  seal: Seal,
  { reason, actor, end = UNKNOWN_END, isQuiet = false }: CancelWish,
): CancelDrafts {
  return {
    requested: seal({ type: 'run.cancel_requested', actor, payload: { reason } }),
    cancelled: seal({
      type: 'run.cancelled',
      payload: encodeEnd(end, { reason }),
      ...(isQuiet ? {} : { message: CANCELLED_MESSAGE }),
    }),
  };
}

/** Of a run that nothing is known of. */
export const UNKNOWN_END: RunEnd = {
  status: 'cancelled',
  stopReason: 'cancelled',
  output: '',
  totals: NO_TOTALS,
};
