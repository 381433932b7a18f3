import { Worker } from 'node:worker_threads';
import type { Clock } from '../../core/clock.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { createJobQueue, type WaitingJob } from './job-queue.ts';
import type {
  SpeechAnswer,
  SpeechJob,
  SpeechResults,
  SpeechThreadData,
} from './speech-protocol.ts';

/** A thread that starts with the first job and ends when there are no more. */
export interface JobThread {
  /** `refused` comes back as an answer; a thread that fails, dies or takes too long throws `provider_failed`. */
  run<Job extends SpeechJob>(
    job: Job,
    signal: AbortSignal,
  ): Promise<Done<SpeechResults[Job['kind']]>>;
  close(): Promise<void>;
}

export type Done<Value> =
  | { readonly outcome: 'done'; readonly value: Value }
  | { readonly outcome: 'refused'; readonly problem: string };

export interface JobThreadConfig extends SpeechThreadData {
  /** For logs. */
  readonly name: string;
  /** The built thread. */
  readonly entry: string;
  /** It ends after so long without work, and with it the memory of its models. Asked each time. */
  readonly idleMs: () => number;
  /** One that takes longer will not come back. */
  readonly jobTimeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createJobThread(config: JobThreadConfig): JobThread {
  const { clock } = config;
  const queue = createJobQueue();
  let thread: Worker | undefined;
  let current: WaitingJob | undefined;
  let cancelTimer = () => {};
  let isClosed = false;

  function work(): void {
    if (current) return;
    current = queue.take();
    cancelTimer();
    if (!current) {
      thread?.unref();
      cancelTimer = clock.after(config.idleMs(), () => void dropThread());
      return;
    }
    thread ??= start();
    thread.ref();
    thread.postMessage(current.job);
    cancelTimer = clock.after(config.jobTimeoutMs, () => {
      void dropThread();
      failCurrent(`it took more than ${config.jobTimeoutMs} ms`);
    });
  }

  function start(): Worker {
    const worker = openWorker(config);
    worker.on('message', (answer: SpeechAnswer) => {
      if (thread !== worker) return;
      const answered = current;
      current = undefined;
      answered?.answer(answer);
      work();
    });
    worker.on('exit', () => {
      if (thread !== worker) return;
      thread = undefined;
      if (current) failCurrent('its thread ended');
    });
    return worker;
  }

  function failCurrent(why: string): void {
    const failed = current;
    current = undefined;
    failed?.fail(new RuntimeError('provider_failed', `local speech failed: ${why}`));
    work();
  }

  /** At once out of sight: a job that comes while it ends gets a new thread. */
  async function dropThread(): Promise<void> {
    const worker = thread;
    thread = undefined;
    await worker?.terminate();
  }

  return {
    async run<Job extends SpeechJob>(job: Job, signal: AbortSignal) {
      signal.throwIfAborted();
      if (isClosed) throw closed();
      const answered = queue.add(job, signal);
      work();
      return toDone<SpeechResults[Job['kind']]>(await answered);
    },

    async close() {
      isClosed = true;
      cancelTimer();
      current?.fail(closed());
      current = undefined;
      queue.failAll(closed());
      await dropThread();
    },
  };
}

function openWorker({ entry, name, folder, logger }: JobThreadConfig): Worker {
  // It needs nothing of ours: no environment with its secrets, no loaders.
  const bare = { env: {}, execArgv: [], stdout: true, stderr: true };
  const worker = new Worker(entry, { workerData: { folder }, name, ...bare });
  worker.on('error', (error) => logger.error({ err: error, name }, 'a speech thread failed'));
  // What a model prints about itself is for nobody; unread it would pile up.
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}

/** Throws for a thread that failed. */
function toDone<Value>(answer: SpeechAnswer): Done<Value> {
  if (answer.outcome === 'failed') {
    throw new RuntimeError('provider_failed', `local speech failed: ${answer.problem}`);
  }
  // Whatever was asked is what was answered: there is one job at a time.
  return answer as Done<Value>;
}

function closed(): RuntimeError {
  return new RuntimeError('shutting_down', 'speech is closed');
}
