import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../core/clock.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import type { Embedder } from '../../core/memory/embedder.ts';
import { findPackageRoot } from '../../platform/package-root.ts';
import type { FromEmbeddingThread, ToEmbeddingThread } from './embedding-protocol.ts';
import { type Batch, createEmbeddingRequests } from './embedding-requests.ts';

export interface LocalEmbedderConfig {
  readonly model: string;
  /** The thread ends after so long without work, and with it the memory of the model. */
  readonly idleMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Where the built thread and its weights are; unless given, in this package. */
  readonly folder?: string;
}

export interface LocalEmbedder extends Embedder {
  /** Ends the thread; what waits for it fails. */
  close(): Promise<void>;
}

/** A batch takes a tenth of a second; a thread that takes this long will not come back. */
const BATCH_TIMEOUT_MS = 60_000;

/**
 * The model of this package, in a thread of its own: it starts with the first text and ends when nobody asks any more.
 * A thread that dies takes the request that it worked on with it; the next one gets a new thread.
 */
export function createLocalEmbedder(config: LocalEmbedderConfig): LocalEmbedder {
  const { clock, logger } = config;
  const requests = createEmbeddingRequests();
  let thread: Worker | undefined;
  let current: Batch | undefined;
  let cancelTimer = () => {};
  let isClosed = false;

  function work(): void {
    if (current) return;
    current = requests.takeBatch();
    cancelTimer();
    if (!current) {
      thread?.unref();
      cancelTimer = clock.after(config.idleMs, () => void dropThread());
      return;
    }
    try {
      thread ??= start();
    } catch (error) {
      failCurrent(error);
      return;
    }
    // Only unanswered texts keep the process alive.
    thread.ref();
    const message: ToEmbeddingThread = { texts: current.texts };
    thread.postMessage(message);
    cancelTimer = clock.after(BATCH_TIMEOUT_MS, () => {
      void dropThread();
      failCurrent(threadEnded());
    });
  }

  function failCurrent(error: unknown): void {
    const failed = current;
    current = undefined;
    failed?.fail(error);
    work();
  }

  function start(): Worker {
    const worker = openThread(config.folder ?? join(findPackageRoot(), 'dist'));
    worker.on('message', ({ vectors }: FromEmbeddingThread) => {
      if (thread !== worker) return;
      const answered = current;
      current = undefined;
      answered?.answer(vectors);
      work();
    });
    worker.on('error', (error) => logger.error({ err: error }, 'the embedding thread failed'));
    worker.on('exit', () => {
      if (thread !== worker) return;
      thread = undefined;
      if (current) failCurrent(threadEnded());
    });
    return worker;
  }

  /** At once out of sight: a text that comes while it ends gets a new thread. */
  async function dropThread(): Promise<void> {
    const worker = thread;
    thread = undefined;
    await worker?.terminate();
  }

  return {
    model: config.model,

    embed(texts, kind, signal) {
      if (isClosed) return Promise.reject(closed());
      const answer = requests.add(texts, kind, signal);
      work();
      return answer;
    },

    async close() {
      isClosed = true;
      cancelTimer();
      current = undefined;
      requests.failAll(closed());
      await dropThread();
    },
  };
}

function openThread(folder: string): Worker {
  const modelFile = findPart(folder, 'use-lite.bin');
  const entry = findPart(folder, 'embedding-thread.cjs');
  // It needs nothing of ours: no environment with its secrets, no loaders.
  const environment = { env: {}, execArgv: [] };
  return new Worker(entry, { workerData: { modelFile }, name: 'embedding', ...environment });
}

function findPart(folder: string, name: string): string {
  const path = join(folder, name);
  if (existsSync(path)) return path;
  throw new RuntimeError(
    'provider_misconfigured',
    `the local embedding model is not complete (${name} is missing): install pincer again, run npm run build in a clone, or set memory.embedding.provider to another one`,
    { details: { file: name } },
  );
}

function threadEnded(): RuntimeError {
  return new RuntimeError(
    'provider_failed',
    'the local embedder ended while it was working: ask again',
  );
}

function closed(): RuntimeError {
  return new RuntimeError('shutting_down', 'the local embedder is closed');
}
