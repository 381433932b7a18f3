import { RuntimeError } from '../../core/errors.ts';

/** Requests that wait for the thread. It gets them a batch at a time, so one that is given up stops soon. */
export interface EmbeddingRequests {
  add(texts: readonly string[], kind: Kind, signal: AbortSignal): Promise<Float32Array[]>;
  /** The next texts to work on: those of questions first, because somebody waits for them. */
  takeBatch(): Batch | undefined;
  failAll(error: unknown): void;
}

export interface Batch {
  readonly texts: readonly string[];
  answer(vectors: readonly Float32Array[]): void;
  fail(error: unknown): void;
}

type Kind = 'document' | 'query';

interface Request {
  readonly kind: Kind;
  readonly texts: readonly string[];
  readonly vectors: Float32Array[];
  resolve(vectors: Float32Array[]): void;
  reject(error: unknown): void;
}

/** About a tenth of a second of work. */
const MAX_BATCH_TEXTS = 16;
/** Half a minute of work; whoever comes later is told so at once. */
const MAX_WAITING_TEXTS = 4096;

export function createEmbeddingRequests(): EmbeddingRequests {
  const waiting = new Set<Request>();

  const remaining = ({ texts, vectors }: Request) => texts.length - vectors.length;

  function assertRoom(more: number): void {
    const texts = [...waiting].reduce((sum, request) => sum + remaining(request), more);
    // A single large request is always taken.
    if (waiting.size === 0 || texts <= MAX_WAITING_TEXTS) return;
    throw new RuntimeError(
      'provider_failed',
      'the local embedder has too much to do: try again later',
    );
  }

  function settle(request: Request, action: () => void): void {
    if (waiting.delete(request)) action();
  }

  return {
    async add(texts, kind, signal) {
      signal.throwIfAborted();
      if (texts.length === 0) return [];
      assertRoom(texts.length);
      const giveUp = new AbortController();
      try {
        return await new Promise<Float32Array[]>((resolve, reject) => {
          const request: Request = { kind, texts, vectors: [], resolve, reject };
          waiting.add(request);
          const onAbort = () => settle(request, () => reject(signal.reason));
          signal.addEventListener('abort', onAbort, { once: true, signal: giveUp.signal });
        });
      } finally {
        giveUp.abort();
      }
    },

    takeBatch() {
      const requests = [...waiting];
      const request = requests.find(({ kind }) => kind === 'query') ?? requests[0];
      if (!request) return undefined;
      const start = request.vectors.length;
      return {
        texts: request.texts.slice(start, start + MAX_BATCH_TEXTS),
        answer(vectors) {
          request.vectors.push(...vectors);
          if (remaining(request) === 0) settle(request, () => request.resolve(request.vectors));
        },
        fail: (error) => settle(request, () => request.reject(error)),
      };
    },

    failAll(error) {
      for (const request of [...waiting]) settle(request, () => request.reject(error));
    },
  };
}
