import { toRuntimeError } from '../errors.ts';
import { createGate } from '../runs/gate.ts';
import { ProjectionWork, type ProjectionWorkDeps } from './projection-work.ts';

export type ProjectorDeps = Omit<ProjectionWorkDeps, 'signal'>;

/** Keeps the sink behind the log, in the background: nothing waits for it, and a sink that fails is tried again. */
export interface Projector {
  start(): void;
  /** What is not written yet is written after the next start. */
  stop(): Promise<void>;
}

export function createProjector(deps: ProjectorDeps): Projector {
  const { clock, logger } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const work = new ProjectionWork({ ...deps, signal });
  const gate = createGate();
  let looping: Promise<void> | undefined;
  let unwatch: readonly (() => void)[] = [];

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      await waitForNews();
      if (signal.aborted) return;
      try {
        await work.work();
      } catch (thrown) {
        // The store failed, not the sink. Nothing here may take the process along.
        work.noteFault();
        const { code, message } = toRuntimeError(thrown);
        logger.warn({ code, reason: message }, 'projections could not be looked up, retrying');
      }
    }
  }

  async function waitForNews(): Promise<void> {
    const dueInMs = work.nextDueMs() - clock.nowMs();
    if (dueInMs > 0) {
      const cancel = clock.after(dueInMs, () => gate.open());
      await gate.wait();
      cancel();
    }
    const pausedForMs = work.pausedUntilMs - clock.nowMs();
    await clock.sleep(Math.max(deps.intervalMs(), pausedForMs), signal);
  }

  return {
    start() {
      unwatch = deps.sources.map((source) =>
        source.watch((id) => {
          work.note(source, id);
          gate.open();
        }),
      );
      looping ??= loop();
    },

    async stop() {
      stopping.abort();
      gate.open();
      for (const end of unwatch) end();
      await looping;
      await deps.store.releaseWriter(deps.owner);
    },
  };
}
