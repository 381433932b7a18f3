import type { Clock } from '../clock.ts';
import { RuntimeError } from '../errors.ts';
import type { RunId } from '../ids.ts';
import type { ActiveRun } from './heartbeat.ts';
import { RunControl } from './run-control.ts';
import type { ClaimedRun } from './run-store.ts';

/** The places for runs in this process: how many there are, what sits in them, and how they are emptied. */
export interface RunPool {
  readonly active: ReadonlyMap<RunId, ActiveRun>;
  /** Places that are neither taken nor reserved. */
  readonly room: number;
  /** Takes a place ahead of the run; the returned function gives it back, once. */
  reserve(): () => void;
  start(claimed: ClaimedRun): void;
  cancel(runId: RunId): void;
  tell(runId: RunId): void;
  /** Waits up to `graceMs` for all runs to end, then tells the rest to stop and gives them a moment for that. */
  drain(graceMs: number): Promise<void>;
}

export interface RunPoolDeps {
  readonly clock: Clock;
  readonly maxConcurrent: number;
  /** Never rejects. */
  readonly execute: (claimed: ClaimedRun, control: RunControl) => Promise<void>;
  readonly onFree: () => void;
}

/** For what was told to stop. A model or tool that does not listen is left behind: its run goes on elsewhere or later. */
const STOP_MS = 1_000;

export function createRunPool(deps: RunPoolDeps): RunPool {
  const active = new Map<RunId, ActiveRun>();
  const done = new Map<RunId, Promise<void>>();
  let reserved = 0;

  /** All that is under way, or so long. */
  async function within(ms: number): Promise<void> {
    const ended = new AbortController();
    const all = Promise.all(done.values()).then(() => ended.abort());
    await Promise.race([all, deps.clock.sleep(ms, ended.signal)]);
  }

  return {
    active,

    get room() {
      return deps.maxConcurrent - active.size - reserved;
    },

    reserve() {
      reserved += 1;
      let isOpen = true;
      return () => {
        if (isOpen) reserved -= 1;
        isOpen = false;
      };
    },

    start(claimed) {
      const { run, lease } = claimed;
      const control = new RunControl();
      const ref = { runId: run.id, leaseId: lease.id };
      active.set(run.id, { ref, control, renewedAtMs: deps.clock.nowMs() });
      const ended = deps.execute(claimed, control).finally(() => {
        active.delete(run.id);
        done.delete(run.id);
        deps.onFree();
      });
      done.set(run.id, ended);
    },

    cancel: (runId) =>
      active.get(runId)?.control.abort(new RuntimeError('cancelled', 'cancel requested')),

    tell(runId) {
      const run = active.get(runId);
      if (run) run.control.hasMail = true;
    },

    async drain(graceMs) {
      await within(graceMs);
      for (const { control } of active.values()) {
        control.abort(new RuntimeError('shutting_down', 'the server is shutting down'));
      }
      await within(STOP_MS);
    },
  };
}
