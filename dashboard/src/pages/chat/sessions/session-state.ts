import type { ListedSessionShape } from '../../../../../src/operations/sessions/session-shapes.ts';
import type { State } from '../../../kit/state-badge.tsx';

type SessionState = ListedSessionShape['state'];

/** What goes on in a conversation, as it is shown and said. */
export const SESSION_STATES: Readonly<Record<SessionState, readonly [State, string]>> = {
  working: ['busy', 'working'],
  waiting: ['wait', 'waits for you'],
  done: ['ok', 'done'],
  failed: ['bad', 'failed'],
  stopped: ['off', 'stopped'],
  idle: ['off', 'nothing said yet'],
};
