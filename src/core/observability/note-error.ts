import type { ErrorCode, RuntimeError } from '../errors.ts';
import type { SecurityEvent, SecurityEvents } from './security-events.ts';
import type { Tally } from './tally.ts';

export interface SeenError {
  readonly error: RuntimeError;
  /** The name of the surface that answered with it. */
  readonly surface: string;
  readonly requestId: string;
}

export type NoteError = (seen: SeenError) => void;

const DENIALS: Partial<Record<ErrorCode, SecurityEvent>> = {
  unauthenticated: 'auth_denied',
  rate_limited: 'rate_limit_denied',
};

/** The surface whose errors are all counted; of the others, only what is a security event. */
const COUNTED_SURFACE = 'api';

/** For each error that a caller is answered with, once. */
export function createNoteError(deps: {
  readonly tally: Pick<Tally, 'count'>;
  readonly securityEvents: SecurityEvents;
}): NoteError {
  return ({ error, surface, requestId }) => {
    const denial = DENIALS[error.code];
    if (denial !== undefined) {
      const about = { surface, request_id: requestId, reason: error.message };
      deps.securityEvents.note(denial, { outcome: 'denied', about });
    }
    if (denial !== undefined || surface === COUNTED_SURFACE) {
      deps.tally.count('error_taxonomy', error.taxonomy);
    }
  };
}
