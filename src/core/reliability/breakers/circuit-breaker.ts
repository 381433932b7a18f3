import type { Clock } from '../../clock.ts';
import { defined } from '../../defined.ts';
import type { BreakerPolicy } from '../settings.ts';
import {
  type Admission,
  admit,
  type BreakerState,
  type BreakerStatus,
  type CallResult,
  closedState,
  forceOpen,
  settle,
} from './breaker.ts';
import type { BreakerLink } from './breaker-link.ts';

export interface CircuitBreakerDeps {
  readonly clock: Clock;
  /** Read at every step, so that changed settings hold at once. */
  readonly policy: () => BreakerPolicy;
  readonly onTransition?: (from: BreakerStatus, to: BreakerStatus) => void;
  /** Absent: the circuit belongs to this process alone. */
  readonly link?: BreakerLink;
}

export interface CircuitStatus {
  readonly status: BreakerStatus;
  /** In a row, while closed. */
  readonly failures: number;
  /** Of the latest calls, while closed. */
  readonly measured: number;
  readonly failed: number;
  readonly retryInMs?: number;
}

/** One circuit: `admit` before a call, `settle` with what it said about the service. */
export class CircuitBreaker {
  readonly #deps: CircuitBreakerDeps;
  #state: BreakerState;
  #isAgreeing = false;
  /** The same for all calls between two changes of status. */
  #pass: Admission & { readonly admitted: true };

  constructor(deps: CircuitBreakerDeps) {
    this.#deps = deps;
    this.#state = closedState(deps.policy());
    this.#pass = { admitted: true, epoch: this.#state.epoch };
  }

  /** A promise only where a store has to be asked: on first use, and to agree on whose the next trial is. */
  admit(): Admission | Promise<Admission> {
    const { link } = this.#deps;
    if (link?.isStale) {
      const reading = link.read((state) => this.restore(state));
      if (!link.wasRead) return reading.then(() => this.#admitNow());
    }
    return this.#admitNow();
  }

  settle(admission: Admission, result: CallResult): void {
    const { clock, policy } = this.#deps;
    // Only a failure sets a time.
    const endedAtMs = result === 'failure' ? clock.nowMs() : 0;
    this.#become(settle(this.#state, { admission, result, endedAtMs }, policy()), 'share');
  }

  /** Whether the circuit is anything but closed. Asking takes no trial. */
  get isOpen(): boolean {
    return this.#state.status !== 'closed';
  }

  status(): CircuitStatus {
    const state = this.#state;
    if (state.status !== 'closed') {
      const admission = admit(state, this.#deps.clock.nowMs(), this.#deps.policy()).admission;
      const retryInMs = admission.admitted ? 0 : admission.retryInMs;
      return {
        status: state.status,
        failures: 0,
        measured: 0,
        failed: 0,
        ...defined({ retryInMs }),
      };
    }
    const { failures, window } = state;
    return { status: 'closed', failures, measured: window.count, failed: window.failed };
  }

  /** Looks into the store, for those who ask without making a call. */
  async refresh(): Promise<void> {
    await this.#deps.link?.read((state) => this.restore(state));
  }

  /** Closes the circuit, whatever it was, and forgets what was counted. */
  async reset(): Promise<void> {
    await this.#force(closedState(this.#deps.policy(), this.#state.epoch + 1));
  }

  /** Keeps the circuit open until somebody resets it. */
  async forceOpen(): Promise<void> {
    await this.#force(forceOpen(this.#state));
  }

  toJSON(): BreakerState {
    return this.#state;
  }

  /** Takes over a stored state. Two closed circuits each keep their own count. */
  restore(state: BreakerState): void {
    if (state.status === 'closed' && this.#state.status === 'closed') return;
    this.#become(state, 'keep');
  }

  #admitNow(): Admission | Promise<Admission> {
    const { clock, policy, link } = this.#deps;
    if (this.#state.status === 'closed') return this.#pass;
    const next = admit(this.#state, clock.nowMs(), policy());
    if (next.state === this.#state) return next.admission;
    if (link && next.admission.admitted) return this.#agree(link, next.state, next.admission);
    this.#become(next.state, 'keep');
    return next.admission;
  }

  /** A trial is one for all processes: whoever writes it first has it. */
  async #agree(link: BreakerLink, next: BreakerState, trial: Admission): Promise<Admission> {
    if (this.#isAgreeing) return this.#refuse();
    this.#isAgreeing = true;
    const before = this.#state;
    try {
      const pushed = await link.push(next);
      if (pushed.outcome === 'stale') {
        if (pushed.state) this.restore(pushed.state);
        return this.isOpen ? this.#refuse() : this.#admitNow();
      }
      // Somebody reset or forced the circuit while we asked.
      if (this.#state !== before) return this.isOpen ? this.#refuse() : this.#admitNow();
      this.#become(next, 'keep');
      return trial;
    } finally {
      this.#isAgreeing = false;
    }
  }

  #refuse(): Admission {
    const { clock, policy } = this.#deps;
    const { admission } = admit(this.#state, clock.nowMs(), policy());
    return admission.admitted ? { admitted: false, status: 'half_open', retryInMs: 0 } : admission;
  }

  async #force(state: BreakerState): Promise<void> {
    this.#become(state, 'keep');
    await this.#deps.link?.force(state);
  }

  #become(next: BreakerState, sharing: 'share' | 'keep'): void {
    const before = this.#state;
    if (next === before) return;
    this.#state = next;
    if (next.epoch !== this.#pass.epoch) this.#pass = { admitted: true, epoch: next.epoch };
    const isTransition = next.status !== before.status;
    const isShared = isTransition || next.status === 'half_open';
    if (sharing === 'share' && isShared && this.#deps.link) void this.#share(this.#deps.link, next);
    if (isTransition) this.#deps.onTransition?.(before.status, next.status);
  }

  async #share(link: BreakerLink, state: BreakerState): Promise<void> {
    const pushed = await link.push(state);
    if (pushed.outcome === 'stale' && pushed.state) this.restore(pushed.state);
  }
}
