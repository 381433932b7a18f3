import type { Clock } from '../clock.ts';
import { toRuntimeError } from '../errors.ts';
import type { Wakeups } from '../events/event-log.ts';
import type { RunId } from '../ids.ts';
import type { Logger } from '../log.ts';
import { createGate } from '../runs/gate.ts';
import { type DeliverDeps, deliverHandoff } from './deliver-handoff.ts';
import type { Handoff } from './handoff.ts';
import { seeTo, seeToAll } from './see-to-handoffs.ts';

export interface DelivererDeps extends DeliverDeps {
  readonly wakeups: Pick<Wakeups, 'watchRuns'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Sees every hand-off through, also those that somebody left halfway. Any number of them may share a store. */
export interface Deliverer {
  start(): void;
  /** At once, for whoever waits; what does not work now is tried again with the others. Never throws. */
  deliver(handoff: Handoff): Promise<void>;
  /** Resolves when nothing of it is going on any more. */
  stop(): Promise<void>;
}

/** How long to sleep when something is open: another node may have ended a run without telling us. */
const BUSY_POLL_MS = 5_000;
/** When nothing is: whoever gave work to a node that then died waits this long for another. */
const IDLE_POLL_MS = 30_000;
/** A run tells of every step: looking at each would cost more than it brings. */
const PAUSE_MS = 200;
/** Runs whose news we listen to. Those of more are found by looking. */
const MAX_AWAITED = 500;

export function createDeliverer(deps: DelivererDeps): Deliverer {
  const { clock, logger } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const gate = createGate();
  let awaited = new Set<RunId>();
  let unwatch = () => {};
  let looping: Promise<void> = Promise.resolve();

  /** Answers how long nothing is to be done, as far as we know. */
  async function look(): Promise<number> {
    const { failed, isFull } = await seeToAll(deps, signal);
    awaited = new Set(await deps.store.listAwaited(MAX_AWAITED));
    if (failed > 0) return BUSY_POLL_MS;
    if (isFull) return 0;
    return awaited.size > 0 ? BUSY_POLL_MS : IDLE_POLL_MS;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const sleepMs = await look().catch((thrown: unknown) => {
        const { code } = toRuntimeError(thrown);
        logger.error({ code }, 'hand-offs could not be looked up, retrying');
        return BUSY_POLL_MS;
      });
      const cancel = clock.after(sleepMs, () => gate.open());
      await gate.wait();
      cancel();
      await clock.sleep(PAUSE_MS, signal);
    }
  }

  return {
    start() {
      unwatch = deps.wakeups.watchRuns((runId) => {
        if (awaited.has(runId)) gate.open();
      });
      looping = run();
    },

    async deliver(handoff) {
      if (handoff.state !== 'open') return;
      // Before its run can end: news of it must find somebody who listens.
      awaited.add(handoff.runId);
      await seeTo(deps, [handoff], deliverHandoff);
      gate.open();
    },

    async stop() {
      stopping.abort();
      gate.open();
      unwatch();
      await looping;
    },
  };
}
