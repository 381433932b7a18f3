import { RuntimeError } from '../errors.ts';
import { type Attempt, type Fault, isRepeatable } from './fault.ts';
import { type GuardedCall, type GuardedTool, repeatabilityOf } from './guarded-call.ts';
import { HandlerContext } from './handler-context.ts';
import { toFault } from './to-fault.ts';

/** One run of a handler within its time, and within what is left for the whole call. Never rejects. */
export function attemptOnce<P, R>(
  tool: GuardedTool<P, R>,
  call: GuardedCall<P>,
  remainingMs: number,
): Promise<Attempt<R>> {
  const { signal } = call;
  if (signal?.aborted) return Promise.resolve({ ok: false, fault: notStarted() });
  const { clock, deadlines } = tool.reliability;
  const timeoutMs = Math.min(tool.settings.timeoutMs, remainingMs);
  const context = new HandlerContext(call, call.attempts);
  return new Promise((resolve) => {
    const breakOff = (fault: Fault) => {
      end({ ok: false, fault });
      HandlerContext.abort(context, new RuntimeError(fault.code, fault.message));
    };
    const deadline = deadlines.start(
      timeoutMs,
      () => breakOff(timedOut(tool, call, timeoutMs)),
      call.attempts === 1 ? call.startedAtMs : clock.nowMs(),
    );
    const onAbort = signal && (() => breakOff(cancelled()));
    if (signal && onAbort) signal.addEventListener('abort', onAbort, { once: true });

    function end(attempt: Attempt<R>): void {
      deadline.cancel();
      if (signal && onAbort) signal.removeEventListener('abort', onAbort);
      resolve(attempt);
    }
    function fail(thrown: unknown): void {
      end({ ok: false, fault: toFault(thrown, clock.nowMs()), thrown });
    }

    try {
      tool.handler(call.payload, context).then((value) => end({ ok: true, value }), fail);
    } catch (thrown) {
      fail(thrown);
    }
  });
}

function timedOut<P, R>(tool: GuardedTool<P, R>, call: GuardedCall<P>, timeoutMs: number): Fault {
  return {
    code: 'timeout',
    message: `${tool.toolId} did not finish within ${timeoutMs} ms`,
    retryable: isRepeatable(repeatabilityOf(tool, call.idempotencyKey)),
    details: { effect: tool.effect === 'write' ? 'unknown' : 'none' },
  };
}

function notStarted(): Fault {
  const message = 'cancelled before it started';
  return { code: 'cancelled', message, retryable: false, details: { effect: 'none' } };
}

function cancelled(): Fault {
  return { code: 'cancelled', message: 'the call was cancelled', retryable: false };
}
