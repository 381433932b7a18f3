import type { Worker } from 'node:worker_threads';
import { RuntimeError } from '../../core/errors.ts';
import { findActiveFaultSpec } from '../../core/fault-point.ts';
import type { Logger } from '../../core/log.ts';
import { createWriteQueue } from './write-queue.ts';
import { type PendingWrite, settle, type Writer, type WriterConfig } from './writer.ts';
import {
  decodeOutcome,
  encodeRequest,
  type FromWriter,
  type OpenRequest,
  type ToWriter,
} from './writer-protocol.ts';
import { takeWriterWorker } from './writer-worker.ts';

export interface ThreadWriterConfig extends WriterConfig {
  readonly logger: Logger;
}

/** Writes in a thread of its own: a commit waits for the disk, and the event loop must not. */
export function openThreadWriter(config: ThreadWriterConfig): Writer {
  let thread: Worker | undefined = start();

  // Once per turn of the event loop: requests that arrive together over their own sockets share a message too.
  const queue = createWriteQueue({ defer: setImmediate, send });

  function send(writes: readonly PendingWrite[]): void {
    thread ??= start();
    // Only unanswered writes keep the process alive.
    thread.ref();
    post(thread, { kind: 'writes', requests: writes.map(encodeRequest), nowMs: config.nowMs?.() });
  }

  function start(): Worker {
    const worker = takeWriterWorker();
    post(worker, { kind: 'open', file: config.file, faultSpec: findActiveFaultSpec() });
    worker.on('message', receive);
    worker.on('error', (error) =>
      config.logger.error({ err: error }, 'sqlite writer thread failed'),
    );
    worker.on('exit', () => {
      if (thread === worker) thread = undefined;
      // Some of them may be committed: only reading can tell. The next write starts a new thread.
      queue.failAll(threadEnded());
      config.onForeignCommit();
    });
    return worker;
  }

  function receive(message: FromWriter): void {
    if (message.kind === 'foreign_commit') config.onForeignCommit();
    else if (message.kind === 'looking') config.onLooking();
    else answer(message);
  }

  function answer(message: Extract<FromWriter, { readonly kind: 'outcomes' }>): void {
    const answered = queue.takeSent(message.outcomes.length);
    if (queue.size === 0) thread?.unref();
    const outcomes = message.outcomes.map(decodeOutcome);
    answered.forEach((write, index) => {
      const outcome = outcomes[index];
      if (outcome) settle(write, outcome);
    });
    config.onCommitted({ ...message, writes: answered, outcomes });
  }

  return {
    submit: queue.submit,

    async close() {
      await queue.drain();
      const worker = thread;
      if (!worker) return;
      worker.ref();
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      post(worker, { kind: 'close' });
      await ended;
    },
  };
}

function post(worker: Worker, message: OpenRequest | ToWriter): void {
  worker.postMessage(message);
}

function threadEnded(): RuntimeError {
  return new RuntimeError('storage_unavailable', 'storage is unavailable: the writer thread ended');
}
