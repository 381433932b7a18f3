import type { Clock } from '../clock.ts';
import { toRuntimeError } from '../errors.ts';
import type { Wakeups } from '../events/event-log.ts';
import type { Logger } from '../log.ts';
import type { Secrets } from './secrets.ts';

/** Should a wake-up be lost. Whatever needs to be sure asks by itself. */
const POLL_MS = 5_000;

export interface FollowSecretsDeps {
  readonly secrets: Pick<Secrets, 'refresh'>;
  readonly wakeups: Pick<Wakeups, 'subscribe'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Learns of what other nodes store when they store it. Says once when it can no longer open it, and once when it can. */
export function followSecrets(deps: FollowSecretsDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const done = follow(deps, signal);
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

async function follow(deps: FollowSecretsDeps, signal: AbortSignal): Promise<void> {
  const { secrets, clock, logger } = deps;
  const news = deps.wakeups.subscribe('secrets');
  let said = '';
  try {
    while (!signal.aborted) {
      await news.next({ deadlineMs: clock.nowMs() + POLL_MS, signal });
      if (signal.aborted) return;
      const problem = await secrets.refresh().then(
        () => '',
        (thrown: unknown) => toRuntimeError(thrown).message,
      );
      if (problem === said) continue;
      if (problem === '') logger.info({}, 'the secrets can be opened again');
      else logger.error({}, problem);
      said = problem;
    }
  } finally {
    news.close();
  }
}
