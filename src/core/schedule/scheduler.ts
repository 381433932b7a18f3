import { type Backoff, backoffMs } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import { toRuntimeError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import type { Redactor } from '../redact/redact.ts';
import { takeTurn } from '../take-turn.ts';
import { createDueJobs, type DueJobsDeps, type DueJobsTick } from './due-jobs.ts';
import type { JobStore } from './job-store.ts';
import { settleFirings } from './settle-firings.ts';

/** Fires jobs when they are due, and tells what came of them. Any number of them may share a store. */
export interface Scheduler {
  start(): void;
  /** Looks at once instead of when it had meant to: a job was changed. */
  wake(): void;
  /** Resolves when nothing of it is going on any more. Runs that were fired go on without it. */
  stop(): Promise<void>;
}

export interface SchedulerDeps extends DueJobsDeps {
  readonly store: JobStore;
  readonly ids: Pick<Ids, 'run' | 'session' | 'mail'>;
  readonly redactor: Redactor;
  readonly clock: Clock;
  /** False while nothing may be fired. */
  readonly mayFire?: () => Promise<boolean>;
}

/** The longest sleep: other processes change jobs, runs end and the clock is set without telling anybody. */
export const POLL_MS = 5_000;

/** How soon a slot that could not be fired is tried again. */
const RETRY_MS = 1_000;

/** How long to wait after a fault of the store; doubles up to the second number. */
const FAULT_BACKOFF: Backoff = { firstMs: 250, maxMs: 10_000 };

export function createScheduler(deps: SchedulerDeps): Scheduler {
  const dueJobs = createDueJobs(deps);
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let isWoken = false;
  let sleeping = new AbortController();

  async function sleep(ms: number): Promise<void> {
    sleeping = new AbortController();
    if (!isWoken && !stopping.signal.aborted && ms > 0) {
      await deps.clock.sleep(ms, sleeping.signal);
    } else {
      await takeTurn();
    }
    isWoken = false;
  }

  async function lookOnce(): Promise<number> {
    const mayFire = deps.settings().isEnabled && ((await deps.mayFire?.()) ?? true);
    const tick = mayFire ? await dueJobs.tick() : undefined;
    const hasMoreToTell = await settleFirings(deps);
    return hasMoreToTell ? 0 : toSleepMs(tick);
  }

  async function run(): Promise<void> {
    let faultsInRow = 0;
    while (!stopping.signal.aborted) {
      try {
        const sleepMs = await lookOnce();
        faultsInRow = 0;
        await sleep(sleepMs);
      } catch (thrown) {
        faultsInRow += 1;
        deps.logger.error({ code: toRuntimeError(thrown).code }, 'scheduler could not go on');
        await deps.clock.sleep(backoffMs(FAULT_BACKOFF, faultsInRow), stopping.signal);
      }
    }
  }

  return {
    start() {
      running = run();
    },

    wake() {
      isWoken = true;
      sleeping.abort();
    },

    async stop() {
      stopping.abort();
      sleeping.abort();
      await running;
    },
  };
}

function toSleepMs(tick: DueJobsTick | undefined): number {
  if (!tick) return POLL_MS;
  // What was fired has a next slot by now, which may come before everything else. Only after progress: slots that can
  // not be fired would make this a busy loop.
  if (tick.settledCount > 0) return 0;
  if (tick.blockedCount > 0) return RETRY_MS;
  if (tick.nextSlotMs === undefined) return POLL_MS;
  return Math.max(1, Math.min(POLL_MS, tick.nextSlotMs - tick.nowMs));
}
