import type { RuntimeError } from '../errors.ts';

export interface CallFacts {
  /** To send along to a service that honours such keys. */
  readonly idempotencyKey: string | undefined;
  readonly executionId: string | undefined;
  readonly callerId: string | undefined;
  readonly traceId: string | undefined;
}

/**
 * What a handler is told about its call. The signal is made when somebody looks at it, since making one costs more
 * than all the rest of a guarded call; so pass the context on as it is, and do not spread it.
 */
export class HandlerContext implements CallFacts {
  /** From 1. */
  readonly attempt: number;
  readonly idempotencyKey: string | undefined;
  readonly executionId: string | undefined;
  readonly callerId: string | undefined;
  readonly traceId: string | undefined;
  #controller: AbortController | undefined;
  #reason: RuntimeError | undefined;
  #signal: AbortSignal | undefined;

  /** With a signal, that one is handed on instead of one of its own. */
  constructor(facts: CallFacts, attempt: number, signal?: AbortSignal) {
    this.attempt = attempt;
    this.idempotencyKey = facts.idempotencyKey;
    this.executionId = facts.executionId;
    this.callerId = facts.callerId;
    this.traceId = facts.traceId;
    this.#signal = signal;
  }

  /** Aborts on timeout and cancel. A handler that ignores it is abandoned on time all the same. */
  get signal(): AbortSignal {
    if (!this.#signal) {
      this.#controller = new AbortController();
      this.#signal = this.#controller.signal;
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#signal;
  }

  /** Ends the call for its handler. */
  static abort(context: HandlerContext, reason: RuntimeError): void {
    context.#reason = reason;
    context.#controller?.abort(reason);
  }
}
