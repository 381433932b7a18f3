import { backoffMs } from '../../../core/backoff.ts';
import type { Clock } from '../../../core/clock.ts';
import { RuntimeError } from '../../../core/errors.ts';
import { isStopped } from '../../../core/kill-switch/kill-switch.ts';
import { errnoOf } from '../../../platform/errno-of.ts';
import type { ServerAddress } from '../program/context.ts';

export interface ServerLinkOptions {
  readonly server: ServerAddress;
  /** Where the server is now: after a restart it may have another port. */
  readonly locate: () => Promise<ServerAddress | undefined>;
  readonly clock: Clock;
}

/** The way to a server that may be restarted while a command talks to it. */
export interface ServerLink {
  readonly address: ServerAddress;
  /** Whether who answers there is this very program: then nothing that it says needs checking. */
  readonly isTrusted: boolean;
  /** Rethrows what waiting does not mend. Else waits a moment, longer each time, and looks where the server is. */
  recover(thrown: unknown, losses: number, signal?: AbortSignal): Promise<void>;
}

/** After this another server may have taken the place of the one that was seen there. Short commands are over by then. */
const TRUSTED_MS = 5_000;

/** Losses in a row before the server is given up: about ten seconds, which a restart with a recovery takes. */
const MAX_LOSSES = 8;
const BACKOFF = { firstMs: 100, maxMs: 2_500 };

export function createServerLink({ server, locate, clock }: ServerLinkOptions): ServerLink {
  let address = server;
  let seenAtMs = clock.nowMs();
  return {
    get address() {
      return address;
    },
    get isTrusted() {
      return address.isSameBuild && clock.nowMs() - seenAtMs < TRUSTED_MS;
    },
    async recover(thrown, losses, signal) {
      if (!isConnectionLoss(thrown) || losses >= MAX_LOSSES) throw thrown;
      await clock.sleep(backoffMs(BACKOFF, losses + 1), signal);
      address = (await locate()) ?? address;
      seenAtMs = clock.nowMs();
    },
  };
}

/** A stream cut in the middle fails with the transport's own error; a server that stops answers 503, and not for good. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof RuntimeError) return error.code === 'shutting_down' && !isStopped(error);
  return error instanceof TypeError || errnoOf(error) !== undefined;
}
