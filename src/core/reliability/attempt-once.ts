import { RuntimeError } from '../errors.ts';
import type { Deadlines } from './deadline.ts';
import type { Attempt, Fault } from './fault.ts';
import { HandlerContext } from './handler-context.ts';
import { toFault } from './to-fault.ts';

export interface BoundedAttempt<R> {
  readonly run: (context: HandlerContext) => Promise<R>;
  readonly context: HandlerContext;
  readonly deadlines: Deadlines;
  readonly timeoutMs: number;
  readonly startedAtMs: number;
  readonly signal: AbortSignal | undefined;
  readonly nowMs: () => number;
  readonly onTimeout: () => Fault;
}

/** One run of a handler within its time. Never rejects. */
export function attemptOnce<R>(call: BoundedAttempt<R>): Promise<Attempt<R>> {
  const { signal } = call;
  if (signal?.aborted) return Promise.resolve({ ok: false, fault: notStarted() });
  return new Promise((resolve) => {
    const breakOff = (fault: Fault) => {
      end({ ok: false, fault });
      HandlerContext.abort(call.context, new RuntimeError(fault.code, fault.message));
    };
    const deadline = call.deadlines.start(
      call.timeoutMs,
      () => breakOff(call.onTimeout()),
      call.startedAtMs,
    );
    const onAbort = signal && (() => breakOff(cancelled()));
    if (signal && onAbort) signal.addEventListener('abort', onAbort, { once: true });

    function end(attempt: Attempt<R>): void {
      deadline.cancel();
      if (signal && onAbort) signal.removeEventListener('abort', onAbort);
      resolve(attempt);
    }
    function fail(thrown: unknown): void {
      end({ ok: false, fault: toFault(thrown, call.nowMs()), thrown });
    }

    try {
      call.run(call.context).then((value) => end({ ok: true, value }), fail);
    } catch (thrown) {
      fail(thrown);
    }
  });
}

function notStarted(): Fault {
  const message = 'cancelled before it started';
  return { code: 'cancelled', message, retryable: false, details: { effect: 'none' } };
}

function cancelled(): Fault {
  return { code: 'cancelled', message: 'the call was cancelled', retryable: false };
}
