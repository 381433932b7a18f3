import type { Clock } from '../../core/clock.ts';
import { RuntimeError, toRuntimeError } from '../../core/errors.ts';
import type { Embedder } from '../../core/memory/embedder.ts';
import { toUnitLength } from '../../core/memory/unit-vector.ts';
import type { Attempt } from '../../core/reliability/fault.ts';
import { faultOfAttempt, withRetry } from '../../core/reliability/retry-policy.ts';
import { toFault } from '../../core/reliability/to-fault.ts';
import type { EmbeddingService } from './embedding-service.ts';
import { requestEmbeddings } from './request-embeddings.ts';
import { WIRE_FORMATS } from './wire-formats.ts';

export interface RemoteEmbedderConfig {
  readonly service: EmbeddingService;
  /** For one request. */
  readonly timeoutMs: number;
  /** Throws while nothing may be asked. */
  readonly assertMayCall: () => Promise<void>;
  readonly clock: Clock;
  readonly random?: () => number;
}

/** Nothing is changed by asking twice. */
const HARMLESS = { idempotent: true, hasStrongKey: false };
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** Whoever asks a question waits; documents have time. */
const MAX_RETRIES = { query: 1, document: 3 } as const;

/** Vectors of a provider over HTTP. */
export function createRemoteEmbedder(config: RemoteEmbedderConfig): Embedder {
  const { service, timeoutMs, clock, random = Math.random } = config;
  const model = `${service.provider}/${service.modelName}`;
  const { maxTexts } = WIRE_FORMATS[service.provider];
  let dimensions: number | undefined;

  async function embedBatch(texts: readonly string[], request: Request): Promise<Float32Array[]> {
    const { kind, signal } = request;
    const maxRetries = MAX_RETRIES[kind];
    const ended = await withRetry<Attempt<unknown[]>>({
      policy: {
        maxRetries,
        initialDelayMs: FIRST_DELAY_MS,
        maxDelayMs: MAX_DELAY_MS,
        deadlineMs: timeoutMs * (maxRetries + 1),
      },
      tool: HARMLESS,
      clock,
      random,
      signal,
      faultOf: faultOfAttempt,
      async attempt(_, remainingMs) {
        const limitMs = Math.min(timeoutMs, remainingMs);
        try {
          await config.assertMayCall();
          const value = await requestEmbeddings(service, { texts, kind, signal, limitMs, clock });
          return { ok: true, value };
        } catch (thrown) {
          return { ok: false, fault: toFault(thrown, clock.nowMs()), thrown };
        }
      },
    });
    signal.throwIfAborted();
    if (!ended.ok) throw toRuntimeError(ended.thrown);
    return ended.value.map(toVector);
  }

  function toVector(values: unknown): Float32Array {
    const isVector =
      Array.isArray(values) && values.length > 0 && values.every((value) => Number.isFinite(value));
    if (!isVector) throw badAnswer(model, 'a vector that is not a list of numbers');
    dimensions ??= values.length;
    if (values.length !== dimensions) {
      const problem = `a vector of ${values.length} numbers after one of ${dimensions}`;
      throw badAnswer(model, problem, { expected: dimensions, received: values.length });
    }
    return toUnitLength(Float32Array.from(values as number[]));
  }

  return {
    model,
    async embed(texts, kind, signal) {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += maxTexts) {
        signal.throwIfAborted();
        vectors.push(...(await embedBatch(texts.slice(start, start + maxTexts), { kind, signal })));
      }
      return vectors;
    },
  };
}

interface Request {
  readonly kind: 'document' | 'query';
  readonly signal: AbortSignal;
}

function badAnswer(model: string, problem: string, details: object = {}): RuntimeError {
  return new RuntimeError(
    'provider_failed',
    `${model} sent ${problem}: check memory.embedding.model and base_url`,
    { retryable: false, details: { model, ...details } },
  );
}
