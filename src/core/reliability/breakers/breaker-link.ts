import type { Clock } from '../../clock.ts';
import type { StoreGuard } from '../store-guard.ts';
import type { BreakerState } from './breaker.ts';
import type { BreakerRecord, BreakerStore } from './breaker-store.ts';

export interface BreakerLinkDeps {
  readonly store: BreakerStore;
  readonly guard: StoreGuard;
  readonly clock: Clock;
  /** How old the shared state may be before it is read again, beside the calls. */
  readonly refreshMs: number;
}

export type PushResult =
  | { readonly outcome: 'written' | 'unreachable' }
  | { readonly outcome: 'stale'; readonly state: BreakerState | undefined };

/** Two operators, or an operator and a circuit that opens, at the same moment; more than that is not expected. */
const MAX_FORCED_WRITES = 5;

/** One circuit's tie to the store it is shared through. An unreachable store leaves the circuit to itself. */
export class BreakerLink {
  readonly #key: string;
  readonly #deps: BreakerLinkDeps;
  #version = 0;
  #readAtMs: number | undefined;
  #reading: Promise<void> | undefined;

  constructor(key: string, deps: BreakerLinkDeps) {
    this.#key = key;
    this.#deps = deps;
  }

  get wasRead(): boolean {
    return this.#readAtMs !== undefined;
  }

  get isStale(): boolean {
    if (this.#readAtMs === undefined) return true;
    // Either way: a clock that was set back must not stop the reading.
    return Math.abs(this.#deps.clock.nowMs() - this.#readAtMs) >= this.#deps.refreshMs;
  }

  /** Reads what is stored and hands over what is news. Readers at the same time share one read. */
  read(adopt: (state: BreakerState) => void): Promise<void> {
    this.#reading ??= this.#read(adopt).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(adopt: (state: BreakerState) => void): Promise<void> {
    const { store, guard, clock } = this.#deps;
    const found = await guard.ask('find', () => store.find(this.#key));
    this.#readAtMs = clock.nowMs();
    const state = this.#accept(found?.answer);
    if (state) adopt(state);
  }

  async push(state: BreakerState): Promise<PushResult> {
    const { store, guard } = this.#deps;
    const pushed = await guard.ask('replace', () => store.replace(this.#key, this.#version, state));
    if (!pushed) return { outcome: 'unreachable' };
    const { answer } = pushed;
    if (answer.outcome === 'written') {
      this.#version = answer.version;
      return { outcome: 'written' };
    }
    // A record that vanished, by a flush, is written anew the next time.
    if (!answer.record) this.#version = 0;
    return { outcome: 'stale', state: this.#accept(answer.record) };
  }

  /** An operator's word counts whatever else was written meanwhile. */
  async force(state: BreakerState): Promise<void> {
    for (let attempt = 0; attempt < MAX_FORCED_WRITES; attempt += 1) {
      const { outcome } = await this.push(state);
      if (outcome !== 'stale') return;
    }
  }

  #accept(record: BreakerRecord | undefined): BreakerState | undefined {
    if (!record || record.version <= this.#version) return undefined;
    this.#version = record.version;
    return record.state;
  }
}
