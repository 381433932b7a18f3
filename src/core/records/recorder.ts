import { type Backoff, backoffMs } from '../backoff.ts';
import { toRuntimeError } from '../errors.ts';
import type { Wakeups } from '../events/event-log.ts';
import type { Logger } from '../log.ts';
import { inStage, noTracer, type Tracer } from '../telemetry.ts';
import { RecordBacklog, type RecordBacklogDeps } from './record-backlog.ts';

/** What many runs commit in this time becomes one pass, and a short run is read once. */
const DEBOUNCE_MS = 100;
/** Backs the wake-ups, which may be lost. */
const POLL_MS = 30_000;
const RETRY: Backoff = { firstMs: 250, maxMs: 30_000 };

export interface RecorderDeps extends RecordBacklogDeps {
  readonly wakeups: Pick<Wakeups, 'watchRuns'>;
  readonly logger: Logger;
  readonly tracer?: Pick<Tracer, 'stage'>;
}

/** Keeps audit files and bundles behind the log. One recorder per state root, or every line is written twice. */
export interface Recorder {
  start(): void;
  /** Records all that is logged by now, safe from a power loss. False when something could not be written. */
  drain(): Promise<boolean>;
  /** Drains once and stops. What could not be written is written after the next start. */
  stop(): Promise<void>;
}

export function createRecorder(deps: RecorderDeps): Recorder {
  const { tracer = noTracer } = deps;
  const backlog = new RecordBacklog(deps);
  const tellFault = createFaultTeller(deps.logger);
  let isStopped = false;
  /** Of whole passes, when nothing can be read or written at all. */
  let failures = 0;
  let turn: Promise<unknown> = Promise.resolve();
  let timer: { readonly atMs: number; readonly cancel: () => void } | undefined;
  let cancelPoll: (() => void) | undefined;
  let unwatch: (() => void) | undefined;

  /** The earlier time wins; only after a failure the wait for the next attempt is not shortened. */
  function schedule(delayMs: number): void {
    const atMs = deps.clock.nowMs() + delayMs;
    if (isStopped || (timer !== undefined && (failures > 0 || timer.atMs <= atMs))) return;
    timer?.cancel();
    const cancel = deps.clock.after(delayMs, () => {
      timer = undefined;
      void work(false);
    });
    timer = { atMs, cancel };
  }

  function poll(): void {
    cancelPoll = deps.clock.after(POLL_MS, () => {
      backlog.noteUnknown();
      schedule(0);
      poll();
    });
  }

  /** One at a time, and never throws: what goes wrong here must not take the process along, and is tried again. */
  function work(mustSync: boolean): Promise<boolean> {
    const attempt = turn.then(async () => {
      try {
        const { nextInMs, fault } = await inStage(tracer, 'records', () =>
          backlog.catchUp(mustSync),
        );
        failures = 0;
        tellFault(fault);
        if (nextInMs !== undefined) schedule(nextInMs);
        return fault === undefined;
      } catch (error) {
        failures += 1;
        tellFault(error);
        schedule(backoffMs(RETRY, failures));
        return false;
      }
    });
    turn = attempt;
    return attempt;
  }

  return {
    start() {
      unwatch = deps.wakeups.watchRuns((id) => {
        backlog.note(id);
        schedule(DEBOUNCE_MS);
      });
      schedule(0);
      poll();
    },

    drain() {
      backlog.noteUnknown();
      return work(true);
    },

    async stop() {
      if (isStopped) return;
      isStopped = true;
      unwatch?.();
      timer?.cancel();
      cancelPoll?.();
      backlog.noteUnknown();
      await work(true);
    },
  };
}

/** Told of every pass, it says once that something is wrong, and once that it is over. */
function createFaultTeller(logger: Logger): (fault: unknown) => void {
  let isFaulty = false;
  return (fault) => {
    const wasFaulty = isFaulty;
    isFaulty = fault !== undefined;
    if (wasFaulty && !isFaulty) logger.info({}, 'records are written again');
    if (wasFaulty || !isFaulty) return;
    const { code, message, cause } = toRuntimeError(fault);
    const reason = cause instanceof Error ? cause.message : message;
    logger.error({ code, reason }, 'audit files or bundles could not be written, retrying');
  };
}
