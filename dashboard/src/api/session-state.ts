import { createStore } from './store.ts';

/** Who sits in front of the page. `ended`: was in, and has to come back without losing anything. */
export interface SessionState {
  readonly state: 'unknown' | 'in' | 'out' | 'ended';
  readonly signInId?: string;
  readonly csrfToken?: string;
  readonly serverVersion?: string;
  /** Why the last try to sign in failed. */
  readonly problem?: string;
}

export const session = createStore<SessionState>({ state: 'unknown' });

/** What somebody is whose cookie was refused. */
export function endedState(): 'out' | 'ended' {
  const { state } = session.get();
  return state === 'in' || state === 'ended' ? 'ended' : 'out';
}

/** At once while somebody is signed in; else when somebody is again, or nobody waits for it any more. */
export function untilSignedIn(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (session.get().state !== 'in' && signal?.aborted !== true) return;
      stop();
      signal?.removeEventListener('abort', look);
      resolve();
    };
    const stop = session.subscribe(look);
    signal?.addEventListener('abort', look);
    look();
  });
}
