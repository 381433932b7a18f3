import type { Clock } from '../clock.ts';
import { RuntimeError, toRuntimeError } from '../errors.ts';
import type { RunId } from '../ids.ts';
import type { Logger } from '../log.ts';
import { repeat } from '../repeat.ts';
import type { ActiveRun } from './heartbeat.ts';
import type { RunStore } from './run-store.ts';

export interface OutsideWatchDeps {
  readonly runs: Pick<RunStore, 'list' | 'listWrittenTo'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly logger: Logger;
}

/** What another process was told about a run here reaches it within a second. */
const POLL_MS = 400;
/** Cancels are few and soon over; whoever is not among the latest hears of it with the renewal of its lease. */
const MAX_CANCELS = 100;

/** Tells runs executing here that they were cancelled, or written to, elsewhere. While none executes, nobody is asked. */
export function createOutsideWatch(
  deps: OutsideWatchDeps,
  active: ReadonlyMap<RunId, Pick<ActiveRun, 'control'>>,
) {
  let stop = () => {};

  async function findCancelled(): Promise<void> {
    const { runs } = await deps.runs.list({ status: 'cancelling', limit: MAX_CANCELS });
    for (const { id } of runs) {
      active.get(id)?.control.abort(new RuntimeError('cancelled', 'cancel requested'));
    }
  }

  async function findWrittenTo(): Promise<void> {
    const unaware = [...active].flatMap(([id, { control }]) => (control.hasMail ? [] : [id]));
    if (unaware.length === 0) return;
    for (const id of await deps.runs.listWrittenTo(unaware)) {
      const run = active.get(id);
      if (run) run.control.hasMail = true;
    }
  }

  async function look(): Promise<void> {
    if (active.size === 0) return;
    try {
      await Promise.all([findCancelled(), findWrittenTo()]);
    } catch (thrown) {
      deps.logger.debug({ code: toRuntimeError(thrown).code }, 'could not look for news of runs');
    }
  }

  return {
    start() {
      stop = repeat(deps.clock, POLL_MS, look);
    },
    stop: () => stop(),
  };
}
