import type { Clock } from '../core/clock.ts';
import { RuntimeError } from '../core/errors.ts';
import type { RpcResponse } from '../core/workers/json-rpc.ts';

export interface OpenCalls {
  /** Waits for the answer to `id`. */
  await(id: string, timeoutMs: number): Promise<RpcResponse>;
  fail(id: string, error: RuntimeError): void;
  /** `late` when the call was given up before, `unknown` when nobody asked. */
  answer(response: RpcResponse): 'taken' | 'late' | 'unknown';
  failAll(message: string): void;
}

interface OpenCall {
  readonly resolve: (response: RpcResponse) => void;
  readonly reject: (error: RuntimeError) => void;
  readonly cancelTimer: () => void;
}

/** Calls that were given up and may be answered yet: older ones are forgotten. */
const MAX_GIVEN_UP = 1_000;

export function createOpenCalls(clock: Pick<Clock, 'after'>): OpenCalls {
  const open = new Map<string, OpenCall>();
  const givenUp = new Set<string>();

  function take(id: string): OpenCall | undefined {
    const call = open.get(id);
    open.delete(id);
    call?.cancelTimer();
    return call;
  }

  function giveUp(id: string, timeoutMs: number): void {
    const message = `the worker did not answer within ${timeoutMs} ms`;
    take(id)?.reject(new RuntimeError('timeout', message));
    const [oldest] = givenUp;
    if (givenUp.size >= MAX_GIVEN_UP && oldest !== undefined) givenUp.delete(oldest);
    givenUp.add(id);
  }

  return {
    await: (id, timeoutMs) =>
      new Promise((resolve, reject) => {
        const cancelTimer = clock.after(timeoutMs, () => giveUp(id, timeoutMs));
        open.set(id, { resolve, reject, cancelTimer });
      }),

    fail(id, error) {
      take(id)?.reject(error);
    },

    answer(response) {
      const call = take(response.id);
      if (!call) return givenUp.delete(response.id) ? 'late' : 'unknown';
      call.resolve(response);
      return 'taken';
    },

    failAll(message) {
      for (const id of [...open.keys()]) {
        take(id)?.reject(new RuntimeError('outcome_unknown', message));
      }
    },
  };
}
