import type { Clock } from '../clock.ts';
import { RuntimeError, toRuntimeError } from '../errors.ts';
import type { RunId } from '../ids.ts';
import type { Logger } from '../log.ts';
import { repeat } from '../repeat.ts';
import type { ActiveRun } from './heartbeat.ts';
import type { RunStore } from './run-store.ts';

export interface CancelWatchDeps {
  readonly runs: Pick<RunStore, 'list'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly logger: Logger;
}

/** A cancel through another process reaches a run here within a second. */
const POLL_MS = 400;
/** Cancels are few and soon over; whoever is not among the latest hears of it with the renewal of its lease. */
const MAX_CANCELS = 100;

/** Tells runs executing here that they were cancelled elsewhere. While none executes, nobody is asked. */
export function createCancelWatch(
  deps: CancelWatchDeps,
  active: ReadonlyMap<RunId, Pick<ActiveRun, 'control'>>,
) {
  let stop = () => {};

  async function look(): Promise<void> {
    try {
      if (active.size > 0) {
        const { runs } = await deps.runs.list({ status: 'cancelling', limit: MAX_CANCELS });
        for (const { id } of runs) {
          active.get(id)?.control.abort(new RuntimeError('cancelled', 'cancel requested'));
        }
      }
    } catch (thrown) {
      deps.logger.debug({ code: toRuntimeError(thrown).code }, 'could not look for cancels');
    }
  }

  return {
    start() {
      stop = repeat(deps.clock, POLL_MS, look);
    },
    stop: () => stop(),
  };
}
