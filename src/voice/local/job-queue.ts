import { tooManyAtOnce } from '../../core/voice/voice-errors.ts';
import type { SpeechAnswer, SpeechJob } from './speech-protocol.ts';

/** Jobs that wait for a thread, in the order in which they came. */
export interface JobQueue {
  /** Throws `rate_limited` when too many wait. A job that is given up leaves the queue. */
  add(job: SpeechJob, signal: AbortSignal): Promise<SpeechAnswer>;
  take(): WaitingJob | undefined;
  failAll(error: unknown): void;
}

export interface WaitingJob {
  readonly job: SpeechJob;
  answer(answer: SpeechAnswer): void;
  fail(error: unknown): void;
}

/** Each is half a megabyte, or a second of work. */
const MAX_WAITING = 16;

export function createJobQueue(): JobQueue {
  const waiting = new Set<WaitingJob>();

  return {
    async add(job, signal) {
      signal.throwIfAborted();
      if (waiting.size >= MAX_WAITING) throw tooManyAtOnce();
      const settled = new AbortController();
      try {
        return await new Promise<SpeechAnswer>((resolve, reject) => {
          const one: WaitingJob = { job, answer: resolve, fail: reject };
          waiting.add(one);
          const onAbort = () => {
            waiting.delete(one);
            reject(signal.reason);
          };
          signal.addEventListener('abort', onAbort, { once: true, signal: settled.signal });
        });
      } finally {
        settled.abort();
      }
    },

    take() {
      const [next] = waiting;
      if (next) waiting.delete(next);
      return next;
    },

    failAll(error) {
      for (const one of [...waiting]) one.fail(error);
      waiting.clear();
    },
  };
}
