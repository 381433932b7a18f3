import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../clock.ts';
import { defined } from '../defined.ts';
import { isRecording, type Tracer } from '../telemetry.ts';
import type { BreakerStore } from './breakers/breaker-store.ts';
import { CircuitBreakers } from './breakers/circuit-breakers.ts';
import { Deadlines } from './deadline.ts';
import { IdempotencyManager } from './idempotency/idempotency-manager.ts';
import type { IdempotencyStore } from './idempotency/idempotency-store.ts';
import { MemoryIdempotencyStore } from './idempotency/memory-idempotency-store.ts';
import { guardObserver, type Observe } from './observer.ts';
import { Shadow } from './shadow.ts';

export interface ReliabilityOptions {
  readonly clock?: Clock;
  /** In [0, 1), for jitter. */
  readonly random?: () => number;
  readonly newId?: () => string;
  /** Default: in this process, bounded. */
  readonly idempotencyStore?: IdempotencyStore;
  /** Default: circuits of this process alone. */
  readonly breakerStore?: BreakerStore;
  readonly storeTimeoutMs?: number;
  readonly observe?: Observe;
  readonly tracer?: Tracer;
  /** Runs over results and faults before they are stored. */
  readonly redact?: (value: unknown) => unknown;
}

/** What guarded calls share: time, chance, circuits, claims, and whoever watches. */
export interface Reliability {
  readonly clock: Clock;
  readonly random: () => number;
  readonly newId: () => string;
  readonly deadlines: Deadlines;
  readonly breakers: CircuitBreakers;
  readonly idempotency: IdempotencyManager;
  readonly shadow: Shadow;
  readonly observe: Observe;
  /** Whether anybody listens: reports of calls nobody hears are not made. */
  readonly isObserved: boolean;
  /** Undefined: attempts are not traced, and cost nothing for it. */
  readonly tracer: Tracer | undefined;
}

export function createReliability(options: ReliabilityOptions = {}): Reliability {
  const clock = options.clock ?? systemClock;
  const newId = options.newId ?? randomUUID;
  const random = options.random ?? Math.random;
  const observe = guardObserver(options.observe);
  const deadlines = new Deadlines(clock);
  const { breakerStore, storeTimeoutMs, redact } = options;
  const bound = defined({ storeTimeoutMs });
  return {
    clock,
    random,
    newId,
    deadlines,
    breakers: new CircuitBreakers({
      clock,
      deadlines,
      observe,
      ...bound,
      ...defined({ store: breakerStore }),
    }),
    idempotency: new IdempotencyManager({
      store: options.idempotencyStore ?? new MemoryIdempotencyStore(clock),
      clock,
      newId,
      deadlines,
      ...(options.observe === undefined ? {} : { observe }),
      ...bound,
      ...defined({ redact }),
    }),
    shadow: new Shadow({ clock, newId, random, observe }),
    observe,
    isObserved: options.observe !== undefined,
    tracer: options.tracer && isRecording(options.tracer) ? options.tracer : undefined,
  };
}
