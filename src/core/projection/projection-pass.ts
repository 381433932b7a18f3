import type { Clock } from '../clock.ts';
import { toRuntimeError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { inParallel } from '../records/in-parallel.ts';
import { projectEntity } from './project-entity.ts';
import { toDocumentId } from './projection.ts';
import type { ProjectionQueue, ProjectionTask } from './projection-queue.ts';
import type { ProjectionSink } from './projection-sink.ts';
import type { ProjectionStore } from './projection-store.ts';

const TASKS_PER_ROUND = 32;
const PARALLEL_WRITES = 4;
/** So many in a row and none that worked: it is the sink, and not a document that it does not like. */
const MIN_FAILURES_OF_SINK = 3;

export interface ProjectionPassDeps {
  readonly store: ProjectionStore;
  readonly sink: ProjectionSink;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly queue: ProjectionQueue;
  /** Whether this process is still the one that writes. */
  readonly hold: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

export interface PassResult {
  readonly outcome: 'done' | 'lost_writer' | 'sink_failed';
  readonly written: number;
  readonly failed: number;
  readonly error: string | undefined;
}

/** Writes what waits. Ends early when the sink takes nothing: the rest would only fail as well. */
export async function drainQueue(deps: ProjectionPassDeps): Promise<PassResult> {
  const sum = { written: 0, failed: 0, error: undefined as string | undefined };
  while (!deps.signal.aborted) {
    const tasks = deps.queue.take(TASKS_PER_ROUND, deps.clock.nowMs());
    if (tasks.length === 0) break;
    if (!(await deps.hold())) {
      return { outcome: 'lost_writer', ...sum };
    }
    const round = await writeRound(deps, tasks);
    sum.written += round.written;
    sum.failed += round.failed;
    sum.error = round.error ?? sum.error;
    if (round.failed >= MIN_FAILURES_OF_SINK && round.written === 0) {
      return { outcome: 'sink_failed', ...sum };
    }
  }
  return { outcome: 'done', ...sum };
}

async function writeRound(deps: ProjectionPassDeps, tasks: readonly ProjectionTask[]) {
  const round = { written: 0, failed: 0, error: undefined as string | undefined };
  await inParallel(tasks, PARALLEL_WRITES, async (task) => {
    if (deps.signal.aborted) return;
    const documentId = toDocumentId({ projection: task.source.projection, id: task.id });
    try {
      const result = await projectEntity(deps, task);
      deps.queue.settle(task);
      if (result.outcome !== 'missing' && result.drift !== undefined) {
        deps.logger.warn({ documentId, drift: result.drift }, 'a projection has drifted');
      }
      round.written += 1;
    } catch (thrown) {
      deps.queue.retryLater(task, deps.clock.nowMs());
      const { code, message } = toRuntimeError(thrown);
      round.failed += 1;
      round.error = message;
      deps.logger.debug({ documentId, code, reason: message }, 'a projection was not written');
    }
  });
  return round;
}
