import { randomUUID } from 'node:crypto';
import { createReliability } from '../../src/core/reliability/create-reliability.ts';
import type { HandlerContext } from '../../src/core/reliability/handler-context.ts';
import { MemoryIdempotencyStore } from '../../src/core/reliability/idempotency/memory-idempotency-store.ts';
import type { ReliabilityEvent } from '../../src/core/reliability/observer.ts';
import { type WrapOptions, wrapTool } from '../../src/core/reliability/wrap-tool.ts';
import { ManualClock } from './manual-clock.ts';

export interface Mail {
  readonly to: string;
}

/** A guarded function with its own circuits, claims and time, for tests. */
export function wrapForTest(
  handler: (mail: Mail, context: HandlerContext) => Promise<unknown>,
  options: Partial<WrapOptions<Mail>> = {},
) {
  const clock = new ManualClock();
  const events: ReliabilityEvent[] = [];
  const store = new MemoryIdempotencyStore(clock);
  const reliability = createReliability({
    clock,
    idempotencyStore: store,
    random: () => 0.5,
    observe: (event) => events.push(event),
  });
  const send = wrapTool(handler, { toolId: 'mail.send', effect: 'read', reliability, ...options });
  return { clock, events, store, reliability, send };
}

export function envelopeOf(changes: object = {}) {
  return {
    toolId: 'mail.send',
    executionId: randomUUID(),
    payload: { to: 'ada' },
    metadata: { callerId: 'run:run_1', traceId: 'trace-1', timestamp: '2027-01-15T08:00:00Z' },
    ...changes,
  };
}

export function httpError(status: number): Error {
  return Object.assign(new Error(`HTTP ${status}`), { status });
}

/** A service that fails so many times, then works. */
export function failing(error: () => unknown, failures = Number.POSITIVE_INFINITY) {
  let calls = 0;
  return {
    handler: async () => {
      calls += 1;
      if (calls <= failures) throw error();
      return { sent: calls };
    },
    get calls() {
      return calls;
    },
  };
}
