import { backoffMs } from '../backoff.ts';
import { type RuntimeError, toRuntimeError } from '../errors.ts';
import { createGate } from '../runs/gate.ts';
import { createEmbeddingPass, type EmbeddingPassDeps } from './embedding-pass.ts';

/** Gives memories their vectors, in the background. What is to do is in the store: nothing is lost with the process. */
export interface EmbeddingQueue {
  start(): void;
  /** There may be something to do. */
  wake(): void;
  status(): Promise<EmbeddingStatus>;
  stop(): Promise<void>;
}

/** How far memories are known by their meaning. */
export interface EmbeddingStatus {
  /** Undefined: none is asked, words alone decide. */
  readonly model: string | undefined;
  readonly memories: number;
  readonly embedded: number;
  readonly pending: number;
  /** Pieces of text, while it works. */
  readonly textsPerSecond: number | undefined;
  /** The last attempt failed. */
  readonly isDegraded: boolean;
  /** Why it did. */
  readonly error: RuntimeError | undefined;
  /** When it will be tried again after a failure. */
  readonly retryAtMs: number | undefined;
}

export type EmbeddingQueueDeps = Omit<EmbeddingPassDeps, 'signal' | 'measure'>;

/** What other processes stored is found this much later. */
const LOOK_AGAIN_MS = 30_000;
const FIRST_LOOK_MS = 1_000;
const BACKOFF = { firstMs: 1_000, maxMs: 5 * 60_000, jitter: 0.5 };

const NOTHING_TO_DO = {
  model: undefined,
  embedded: 0,
  pending: 0,
  textsPerSecond: undefined,
  isDegraded: false,
  error: undefined,
  retryAtMs: undefined,
};

export function createEmbeddingQueue(deps: EmbeddingQueueDeps): EmbeddingQueue {
  const { store, clock, logger } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const gate = createGate();
  const state = createState();
  const pass = createEmbeddingPass({
    ...deps,
    signal,
    measure: (texts, ms) => state.measure(texts, ms),
  });
  let looping: Promise<void> | undefined;

  async function loop(): Promise<void> {
    let restMs = FIRST_LOOK_MS;
    while (!signal.aborted) {
      await rest(restMs);
      if (signal.aborted) return;
      restMs = await look();
    }
  }

  /** After a failure news do not shorten the wait: they would only fail too. */
  async function rest(ms: number): Promise<void> {
    if (state.failures > 0) return clock.sleep(ms, signal);
    const cancel = clock.after(ms, () => gate.open());
    await gate.wait();
    cancel();
  }

  /** How long to wait before the next look. */
  async function look(): Promise<number> {
    const configured = deps.configured();
    if (!configured) return LOOK_AGAIN_MS;
    try {
      await pass.run(configured);
      state.succeed();
      return LOOK_AGAIN_MS;
    } catch (thrown) {
      if (signal.aborted) return 0;
      const error = toRuntimeError(thrown);
      const waitMs = backoffMs(BACKOFF, state.fail(error));
      state.retryAtMs = clock.nowMs() + waitMs;
      const fields = { code: error.code, reason: error.message, model: configured.model, waitMs };
      logger.warn(fields, 'memories could not be embedded, trying again later');
      return waitMs;
    } finally {
      state.textsPerSecond = undefined;
    }
  }

  return {
    start() {
      looping ??= loop();
    },
    wake: () => gate.open(),

    async status() {
      const { textsPerSecond, error, retryAtMs } = state;
      const model = deps.configured()?.model;
      if (model === undefined) {
        const { memories } = await deps.memories.head();
        return { ...NOTHING_TO_DO, memories };
      }
      const { memories, embedded } = await store.readProgress(model);
      const pending = Math.max(0, memories - embedded);
      const isDegraded = error !== undefined;
      return { model, memories, embedded, pending, textsPerSecond, isDegraded, error, retryAtMs };
    },

    async stop() {
      stopping.abort();
      gate.open();
      await looping;
    },
  };
}

interface State {
  failures: number;
  error: RuntimeError | undefined;
  retryAtMs: number | undefined;
  textsPerSecond: number | undefined;
  succeed(): void;
  /** Failures in a row by now. */
  fail(error: RuntimeError): number;
  measure(texts: number, ms: number): void;
}

function createState(): State {
  return {
    failures: 0,
    error: undefined,
    retryAtMs: undefined,
    textsPerSecond: undefined,
    succeed() {
      this.failures = 0;
      this.error = undefined;
      this.retryAtMs = undefined;
    },
    fail(error) {
      this.error = error;
      this.failures += 1;
      return this.failures;
    },
    measure(texts, ms) {
      if (texts === 0) return;
      const rate = texts / (Math.max(1, ms) / 1000);
      this.textsPerSecond = ((this.textsPerSecond ?? rate) + rate) / 2;
    },
  };
}
