import type { Clock } from '../clock.ts';
import { toRuntimeError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { inParallel } from '../records/in-parallel.ts';
import { projectEntity } from './project-entity.ts';
import { toDocumentId } from './projection.ts';
import type { ProjectionQueue, Span, TakenTask } from './projection-queue.ts';
import type { ProjectionSink } from './projection-sink.ts';
import type { ProjectionStore } from './projection-store.ts';

const TASKS_PER_ROUND = 32;
const PARALLEL_WRITES = 4;
/** So many that are new, and none that worked: it is the sink, and not a document that it does not like. */
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
  /** Documents that the sink took. */
  readonly written: number;
  readonly failed: number;
  readonly error: string | undefined;
}

/**
 * Writes what waits; what is noted meanwhile waits for the next pass, so that a run without a pause is not written
 * without one. Ends early when the sink takes nothing: the rest would only fail as well.
 */
export async function drainQueue(deps: ProjectionPassDeps, news: Span): Promise<PassResult> {
  const sum = { written: 0, failed: 0, error: undefined as string | undefined };
  const round = { limit: TASKS_PER_ROUND, nowMs: deps.clock.nowMs(), news };
  while (!deps.signal.aborted) {
    const tasks = deps.queue.take(round);
    if (tasks.length === 0) break;
    if (!(await deps.hold())) {
      return { outcome: 'lost_writer', ...sum };
    }
    const result = await writeRound(deps, tasks);
    sum.written += result.written;
    sum.failed += result.failed;
    sum.error = result.error ?? sum.error;
    if (result.failedAtFirst >= MIN_FAILURES_OF_SINK && result.written === 0) {
      return { outcome: 'sink_failed', ...sum };
    }
  }
  return { outcome: 'done', ...sum };
}

async function writeRound(deps: ProjectionPassDeps, tasks: readonly TakenTask[]) {
  const round = { written: 0, failed: 0, failedAtFirst: 0, error: undefined as string | undefined };
  await inParallel(tasks, PARALLEL_WRITES, async (task) => {
    if (deps.signal.aborted) return;
    const documentId = toDocumentId({ projection: task.source.projection, id: task.id });
    try {
      const result = await projectEntity(deps, task);
      deps.queue.settle(task);
      if (result.outcome !== 'missing' && result.drift !== undefined) {
        deps.logger.warn({ documentId, drift: result.drift }, 'a projection has drifted');
      }
      if (result.outcome === 'written') round.written += 1;
    } catch (thrown) {
      deps.queue.retryLater(task, deps.clock.nowMs());
      const { code, message } = toRuntimeError(thrown);
      round.failed += 1;
      // What failed before has a pause of its own, and says little of the others.
      if (!task.isRetry) round.failedAtFirst += 1;
      round.error = message;
      deps.logger.debug({ documentId, code, reason: message }, 'a projection was not written');
    }
  });
  return round;
}
