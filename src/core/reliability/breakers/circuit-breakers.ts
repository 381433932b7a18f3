import type { Clock } from '../../clock.ts';
import { RuntimeError } from '../../errors.ts';
import { Deadlines } from '../deadline.ts';
import { guardObserver, type Observe } from '../observer.ts';
import { type BreakerPolicy, DEFAULT_RELIABILITY } from '../settings.ts';
import { StoreGuard } from '../store-guard.ts';
import { BreakerLink } from './breaker-link.ts';
import type { BreakerStore } from './breaker-store.ts';
import { CircuitBreaker, type CircuitStatus } from './circuit-breaker.ts';

export interface CircuitBreakersDeps {
  readonly clock: Clock;
  readonly deadlines?: Deadlines;
  readonly observe?: Observe;
  /** Shares circuits between processes and keeps them over restarts. */
  readonly store?: BreakerStore;
  /** How long a store may take before a circuit goes on by itself. */
  readonly storeTimeoutMs?: number;
  readonly refreshMs?: number;
}

export interface NamedCircuit extends CircuitStatus {
  readonly toolId: string;
}

/** Circuits are per tool, so this many means that names are made up; the oldest healthy one then makes room. */
const MAX_CIRCUITS = 10_000;
const DEFAULT_STORE_TIMEOUT_MS = 250;
const DEFAULT_REFRESH_MS = 1_000;

/** The circuits of a process, one per tool, made on first use. */
export class CircuitBreakers {
  readonly #deps: CircuitBreakersDeps;
  readonly #observe: Observe;
  readonly #guard: StoreGuard;
  readonly #circuits = new Map<string, { breaker: CircuitBreaker; policy: BreakerPolicy }>();

  constructor(deps: CircuitBreakersDeps) {
    this.#deps = deps;
    this.#observe = guardObserver(deps.observe);
    this.#guard = new StoreGuard({
      store: 'breaker',
      deadlines: deps.deadlines ?? new Deadlines(deps.clock),
      timeoutMs: deps.storeTimeoutMs ?? DEFAULT_STORE_TIMEOUT_MS,
      observe: this.#observe,
    });
  }

  /** The tool's circuit under this policy, which holds from now on. */
  of(toolId: string, policy: BreakerPolicy = DEFAULT_RELIABILITY.breaker): CircuitBreaker {
    const known = this.#circuits.get(toolId);
    if (known) {
      known.policy = policy;
      return known.breaker;
    }
    if (this.#circuits.size >= MAX_CIRCUITS) this.#makeRoom();
    const { clock, store, refreshMs = DEFAULT_REFRESH_MS } = this.#deps;
    const entry = { policy };
    const breaker = new CircuitBreaker({
      clock,
      policy: () => entry.policy,
      onTransition: (from, to) => this.#observe({ type: 'circuit.changed', toolId, from, to }),
      ...(store
        ? { link: new BreakerLink(toolId, { store, guard: this.#guard, clock, refreshMs }) }
        : {}),
    });
    this.#circuits.set(toolId, Object.assign(entry, { breaker }));
    this.#observe({ type: 'circuit.created', toolId, status: breaker.status().status });
    return breaker;
  }

  find(toolId: string): CircuitBreaker | undefined {
    return this.#circuits.get(toolId)?.breaker;
  }

  list(): readonly NamedCircuit[] {
    return [...this.#circuits]
      .map(([toolId, { breaker }]) => ({ toolId, ...breaker.status() }))
      .sort((a, b) => (a.toolId < b.toolId ? -1 : 1));
  }

  #makeRoom(): void {
    for (const [toolId, { breaker }] of this.#circuits) {
      if (breaker.isOpen) continue;
      this.#circuits.delete(toolId);
      return;
    }
    throw new RuntimeError('limit_reached', `more than ${MAX_CIRCUITS} circuits are open`);
  }
}
