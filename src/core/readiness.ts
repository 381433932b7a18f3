import { RuntimeError } from './errors.ts';

/** Whether a server should be sent work, from its start to its end. */
export interface Readiness {
  /** Throws what keeps it from work now: it starts, it ends, or its store does not answer. */
  assertReady(): Promise<void>;
  /** Throws when nothing new is begun any more. What was begun may still be looked at. */
  assertTakesWork(): void;
  /** All surfaces are there. */
  open(): void;
  /** It will end soon: whoever sends work should send it elsewhere. What comes is still done. */
  leave(): void;
  /** Nothing new is begun from here on. */
  refuseWork(): void;
}

export interface ReadinessDeps {
  /** Whether runs are taken up. */
  readonly isStarted: () => boolean;
  /** Throws `storage_unavailable` when the store can't serve. */
  readonly ping: () => Promise<void>;
}

type Phase = 'starting' | 'open' | 'leaving' | 'closed';

export function createReadiness({ isStarted, ping }: ReadinessDeps): Readiness {
  let phase: Phase = 'starting';

  return {
    async assertReady() {
      if (phase === 'leaving' || phase === 'closed') throw isEnding();
      if (phase === 'starting' || !isStarted()) throw isStarting();
      await ping();
    },
    assertTakesWork() {
      if (phase === 'closed') throw isEnding();
    },
    open() {
      if (phase === 'starting') phase = 'open';
    },
    leave() {
      if (phase !== 'closed') phase = 'leaving';
    },
    refuseWork() {
      phase = 'closed';
    },
  };
}

function isStarting(): RuntimeError {
  return new RuntimeError('shutting_down', 'server is starting', {
    details: { recovery_action: 'Try again in a few seconds, when the server has started.' },
  });
}

function isEnding(): RuntimeError {
  return new RuntimeError('shutting_down', 'server is shutting down');
}
