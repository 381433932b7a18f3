import { RuntimeError } from '../errors.ts';
import type { Deadlines } from './deadline.ts';
import type { Attempt, Fault } from './fault.ts';
import { toFault } from './to-fault.ts';

/** What a handler is told about its call. */
export interface HandlerContext {
  /** From 1. */
  readonly attempt: number;
  /** Aborts on timeout and cancel. A handler that ignores it is abandoned on time all the same. */
  readonly signal: AbortSignal;
  /** To send along to a service that honours such keys. */
  readonly idempotencyKey: string | undefined;
  readonly executionId: string | undefined;
  readonly callerId: string | undefined;
  readonly traceId: string | undefined;
}

export interface BoundedAttempt<R> {
  readonly run: (context: HandlerContext) => Promise<R>;
  readonly facts: Omit<HandlerContext, 'signal'>;
  readonly deadlines: Deadlines;
  readonly timeoutMs: number;
  readonly nowMs: () => number;
  readonly signal: AbortSignal | undefined;
  readonly onTimeout: () => Fault;
}

/** One run of a handler within its time. Never rejects. */
export function attemptOnce<R>(call: BoundedAttempt<R>): Promise<Attempt<R>> {
  const { signal } = call;
  if (signal?.aborted) return Promise.resolve({ ok: false, fault: notStarted() });
  return new Promise((resolve) => {
    const stop = new LazyAbort();

    const deadline = call.deadlines.start(call.timeoutMs, () => breakOff(call.onTimeout()));
    const onAbort = () => breakOff(cancelled());

    function end(attempt: Attempt<R>): void {
      deadline.cancel();
      signal?.removeEventListener('abort', onAbort);
      resolve(attempt);
    }
    function breakOff(fault: Fault): void {
      end({ ok: false, fault });
      stop.abort(new RuntimeError(fault.code, fault.message));
    }
    function fail(thrown: unknown): void {
      end({ ok: false, fault: toFault(thrown, call.nowMs()), thrown });
    }

    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      call.run(toContext(call.facts, stop)).then((value) => end({ ok: true, value }), fail);
    } catch (thrown) {
      fail(thrown);
    }
  });
}

/** Own members, the signal included: a handler may spread its context. */
function toContext(facts: Omit<HandlerContext, 'signal'>, stop: LazyAbort): HandlerContext {
  const { attempt, idempotencyKey, executionId, callerId, traceId } = facts;
  return {
    attempt,
    idempotencyKey,
    executionId,
    callerId,
    traceId,
    get signal() {
      return stop.signal;
    },
  };
}

/** A controller made when somebody looks at the signal: making one costs more than all the rest of a call. */
class LazyAbort {
  #controller: AbortController | undefined;
  #reason: RuntimeError | undefined;

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  abort(reason: RuntimeError): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

function notStarted(): Fault {
  const message = 'cancelled before it started';
  return { code: 'cancelled', message, retryable: false, details: { effect: 'none' } };
}

function cancelled(): Fault {
  return { code: 'cancelled', message: 'the call was cancelled', retryable: false };
}
