import type { Clock } from '../clock.ts';
import { RuntimeError, toRuntimeError } from '../errors.ts';
import { faultPoint } from '../fault-point.ts';
import type { RunId } from '../ids.ts';
import type { Logger } from '../log.ts';
import { repeat } from '../repeat.ts';
import type { RunControl } from './run-control.ts';
import type { LeaseRef, RunStore } from './run-store.ts';

export interface ActiveRun {
  readonly ref: LeaseRef;
  readonly control: RunControl;
  renewedAtMs: number;
}

export interface HeartbeatDeps {
  readonly runs: RunStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly leaseMs: number;
}

/** Two of three beats may fail before a lease is lost. */
const BEATS_PER_LEASE = 3;

/** Renews all leases of a runner with one call, and passes on what the store says about them. */
export function createHeartbeat(deps: HeartbeatDeps, active: ReadonlyMap<RunId, ActiveRun>) {
  let stop = () => {};

  async function beat(): Promise<void> {
    const sentAtMs = deps.clock.nowMs();
    const refs = [...active.values()].map((one) => one.ref);
    if (refs.length > 0) {
      faultPoint('lease.before_renew');
      try {
        for (const renewed of await deps.runs.renew(refs, deps.leaseMs)) {
          const run = active.get(renewed.runId);
          if (!run || run.ref.leaseId !== renewed.leaseId) continue;
          if (!renewed.held)
            run.control.abort(new RuntimeError('lost_lease', 'another runner took the run'));
          else if (renewed.cancelRequested)
            run.control.abort(new RuntimeError('cancelled', 'cancel requested'));
          else run.renewedAtMs = sentAtMs;
        }
      } catch (thrown) {
        deps.logger.error(
          { code: toRuntimeError(thrown).code, runs: refs.length },
          'could not renew leases',
        );
      }
    }
    abandonExpired();
  }

  /** Nobody answered for a whole lease: somebody else may own these runs by now, so nothing more may be done here. */
  function abandonExpired(): void {
    const nowMs = deps.clock.nowMs();
    for (const run of active.values()) {
      if (nowMs - run.renewedAtMs > deps.leaseMs) {
        run.control.abort(new RuntimeError('lost_lease', 'the lease could not be renewed in time'));
      }
    }
  }

  return {
    start() {
      stop = repeat(deps.clock, deps.leaseMs / BEATS_PER_LEASE, beat);
    },
    stop: () => stop(),
  };
}
