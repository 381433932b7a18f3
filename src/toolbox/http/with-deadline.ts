import type { RuntimeError } from '../../core/errors.ts';

export interface Deadline {
  readonly timeoutMs: number;
  /** What work that takes longer fails with. */
  readonly timedOut: RuntimeError;
  /** Of the caller, who may stop waiting earlier. */
  readonly signal: AbortSignal;
}

/** Stops work that takes too long, or that nobody waits for any more. */
export async function withDeadline<T>(
  { timeoutMs, timedOut, signal }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(timedOut), timeoutMs);
  const onAbort = () => ended.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await work(ended.signal);
  } catch (thrown) {
    // Whatever broke when everything was being torn down, the reason is that it was.
    ended.signal.throwIfAborted();
    throw thrown;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
