import type { Clock } from '../../../core/clock.ts';
import { RuntimeError } from '../../../core/errors.ts';
import type { ServerAddress } from '../context.ts';

export interface ServerLinkOptions {
  readonly server: ServerAddress;
  /** Where the server is now: after a restart it may have another port. */
  readonly locate: () => Promise<ServerAddress | undefined>;
  readonly clock: Clock;
}

/** The way to a server that may be restarted while a command talks to it. */
export interface ServerLink {
  readonly address: ServerAddress;
  /** Rethrows what waiting does not mend. Else waits a moment, longer each time, and looks where the server is. */
  recover(thrown: unknown, losses: number, signal?: AbortSignal): Promise<void>;
}

/** Losses in a row before the server is given up: about ten seconds, which a restart with a recovery takes. */
const MAX_LOSSES = 8;
const BACKOFF_MS = { initial: 100, max: 2_500 } as const;

export function createServerLink({ server, locate, clock }: ServerLinkOptions): ServerLink {
  let address = server;
  return {
    get address() {
      return address;
    },
    async recover(thrown, losses, signal) {
      if (!isConnectionLoss(thrown) || losses >= MAX_LOSSES) throw thrown;
      await clock.sleep(Math.min(BACKOFF_MS.max, BACKOFF_MS.initial * 2 ** losses), signal);
      address = (await locate()) ?? address;
    },
  };
}

/** A stream cut in the middle fails with the transport's own error; a server that stops answers 503. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof RuntimeError) return error.code === 'shutting_down';
  return error instanceof TypeError || (error instanceof Error && 'code' in error);
}
