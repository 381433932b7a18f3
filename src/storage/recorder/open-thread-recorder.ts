import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../core/clock.ts';
import type { EndedRun } from '../../core/costs/close-runs.ts';
import { RuntimeError, toRuntimeError } from '../../core/errors.ts';
import type { Wakeups } from '../../core/events/event-log.ts';
import { findActiveFaultSpec } from '../../core/fault-point.ts';
import type { RunId } from '../../core/ids.ts';
import type { Logger } from '../../core/log.ts';
import type { Recorder } from '../../core/records/recorder.ts';
import type { RunStore } from '../../core/runs/run-store.ts';
import { findPackageRoot } from '../../platform/package-root.ts';
import type { FromRecorder, RecorderThreadData, ToRecorder } from './recorder-protocol.ts';

export interface ThreadRecorderDeps extends Omit<RecorderThreadData, 'faultSpec'> {
  readonly wakeups: Pick<Wakeups, 'watchRuns'>;
  readonly runs: Pick<RunStore, 'list' | 'markRecorded'>;
  readonly closeRuns: (ended: readonly EndedRun[]) => Promise<void>;
  readonly clock: Pick<Clock, 'after'>;
  /** Whether the main thread has no time to spare: bundles wait then, since they would take the processor from it. */
  readonly isBusy: () => boolean;
  readonly logger: Logger;
}

/** A burst of commits becomes one message. */
const GATHER_MS = 25;
/** What an earlier process left unrecorded can wait until the server answers its first requests. */
const FIRST_LOOK_MS = 1_000;
/** Where there is no run yet: backs the wake-ups, which may be lost. */
const NEXT_LOOK_MS = 30_000;
const RESTART_MS = 1_000;
/** Above this, ids are dropped: the recorder looks by itself for runs that have ended, now and then. */
const MAX_NEWS = 20_000;

/**
 * Writes the records of an embedded store in a thread of its own. Reading events back, encoding and signing lines and
 * creating six files took a quarter of the event loop from the runs that they are about. The thread reads on a
 * connection of its own; what changes the database it asks for, since that has one writer. It is started for the first
 * run that there is: starting it takes as much as half a second of an idle server.
 */
export function openThreadRecorder(deps: ThreadRecorderDeps): Pick<Recorder, 'start' | 'stop'> {
  const entry = findEntry();
  const news = new Set<RunId>();
  let thread: Worker | undefined;
  /** It has not said yet that it knows what it was told, and more would pile up; or it has just ended. */
  let isHeld = false;
  let isStopped = false;
  let cancelGathering: (() => void) | undefined;
  let cancelLook = () => {};
  let unwatch = () => {};

  function note(runId: RunId): void {
    if (news.size < MAX_NEWS) news.add(runId);
    gather();
  }

  function gather(): void {
    if (!isHeld && !isStopped) cancelGathering ??= deps.clock.after(GATHER_MS, tell);
  }

  function tell(): void {
    cancelGathering = undefined;
    cancelLook();
    thread ??= open();
    if (news.size === 0) return;
    isHeld = true;
    post(thread, { kind: 'news', runIds: [...news], isBusy: deps.isBusy() });
    news.clear();
  }

  function look(): void {
    void startIfNeeded();
  }

  async function startIfNeeded(): Promise<void> {
    const isNeeded = await hasRuns(deps);
    if (isStopped || thread !== undefined) return;
    if (isNeeded) tell();
    else cancelLook = deps.clock.after(NEXT_LOOK_MS, look);
  }

  function release(): void {
    isHeld = false;
    if (news.size > 0) gather();
  }

  function open(): Worker {
    const worker = startThread(entry, deps);
    worker.on('message', (message: FromRecorder) => {
      if (message.kind === 'noted') release();
      else serve(deps, worker, message);
    });
    worker.on('exit', () => {
      thread = undefined;
      if (!isStopped) replace();
    });
    return worker;
  }

  /** Another begins by looking for what is missing, so nothing is lost that this one knew. */
  function replace(): void {
    isHeld = true;
    cancelGathering?.();
    cancelLook = deps.clock.after(RESTART_MS, () => {
      isHeld = false;
      tell();
    });
  }

  return {
    start() {
      unwatch = deps.wakeups.watchRuns(note);
      cancelLook = deps.clock.after(FIRST_LOOK_MS, look);
    },

    async stop() {
      if (isStopped) return;
      isStopped = true;
      unwatch();
      cancelGathering?.();
      cancelLook();
      if (thread === undefined && news.size === 0 && !(await hasRuns(deps))) return;
      const worker = thread ?? open();
      await endThread(worker, [...news]);
    },
  };
}

/** Once it has recorded what there is: of runs that go on nobody else knows. */
async function endThread(worker: Worker, runIds: readonly RunId[]): Promise<void> {
  worker.ref();
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  if (runIds.length > 0) post(worker, { kind: 'news', runIds, isBusy: false });
  post(worker, { kind: 'stop' });
  await ended;
}

/** A store that can't tell has some: the thread will say what is wrong with it. */
async function hasRuns({ runs }: ThreadRecorderDeps): Promise<boolean> {
  const found = await runs.list({ limit: 1 }).catch(() => undefined);
  return found === undefined || found.runs.length > 0;
}

function startThread(entry: string, deps: ThreadRecorderDeps): Worker {
  const { root, databaseFile, syncIntervalMs, logger } = deps;
  const faultSpec = findActiveFaultSpec();
  const workerData: RecorderThreadData = { root, databaseFile, syncIntervalMs, faultSpec };
  // It needs nothing of the environment and its secrets.
  const worker = new Worker(entry, { workerData, name: 'recorder', env: {}, execArgv: [] });
  worker.unref();
  worker.on('error', (error) => logger.error({ err: error }, 'recorder thread failed'));
  return worker;
}

function serve(
  deps: ThreadRecorderDeps,
  worker: Worker,
  message: Exclude<FromRecorder, { kind: 'noted' }>,
): void {
  if (message.kind === 'log') deps.logger[message.level](message.fields, message.message);
  else void answer(deps, message).then((answered) => post(worker, answered));
}

async function answer(
  { runs, closeRuns }: ThreadRecorderDeps,
  { number, ask }: Extract<FromRecorder, { kind: 'ask' }>,
): Promise<ToRecorder> {
  try {
    await (ask.op === 'mark' ? runs.markRecorded(ask.marks) : closeRuns(ask.ended));
    return { kind: 'answer', number };
  } catch (thrown) {
    const { code, message } = toRuntimeError(thrown);
    return { kind: 'answer', number, fault: { code, message } };
  }
}

function post(worker: Worker, message: ToRecorder): void {
  worker.postMessage(message);
}

/** Threads run JavaScript, so sources and bundles alike start the built file. */
function findEntry(): string {
  const entry = join(findPackageRoot(), 'dist', 'recorder.cjs');
  if (existsSync(entry)) return entry;
  throw new RuntimeError('internal', `${entry} is missing: run \`npm run build\``);
}
