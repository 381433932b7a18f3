import { RuntimeError } from '../errors.ts';
import type { Deadlines } from './deadline.ts';
import type { Observe } from './observer.ts';

export interface StoreGuardDeps {
  readonly store: 'breaker' | 'idempotency';
  readonly deadlines: Deadlines;
  readonly timeoutMs: number;
  readonly observe: Observe;
}

/**
 * Operations on a store that may be slow or gone. Each is bounded; the first failure is reported, those that follow
 * are not, until the store answers again: an outage is one line in a log, not one for every call.
 */
export class StoreGuard {
  readonly #deps: StoreGuardDeps;
  #isDown = false;

  constructor(deps: StoreGuardDeps) {
    this.#deps = deps;
  }

  /** The answer, or undefined when there was none in time. */
  async ask<T>(
    operation: string,
    ask: () => Promise<T>,
  ): Promise<{ readonly answer: T } | undefined> {
    try {
      const answer = await this.#bound(operation, ask);
      this.#succeeded();
      return { answer };
    } catch (thrown) {
      // A refusal by a store that works is an answer of its own, for the caller to hear.
      if (thrown instanceof RuntimeError && thrown.code === 'queue_full') throw thrown;
      this.#failed(operation, thrown);
      return undefined;
    }
  }

  #bound<T>(operation: string, ask: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const { deadlines, timeoutMs } = this.#deps;
      const deadline = deadlines.start(timeoutMs, () =>
        reject(new RuntimeError('timeout', `${operation} took longer than ${timeoutMs} ms`)),
      );
      ask().then(
        (answer) => {
          deadline.cancel();
          resolve(answer);
        },
        (thrown) => {
          deadline.cancel();
          reject(thrown);
        },
      );
    });
  }

  #succeeded(): void {
    if (!this.#isDown) return;
    this.#isDown = false;
    this.#deps.observe({ type: 'store.recovered', store: this.#deps.store });
  }

  #failed(operation: string, thrown: unknown): void {
    if (this.#isDown) return;
    this.#isDown = true;
    const message = thrown instanceof Error ? thrown.message : 'unknown';
    this.#deps.observe({ type: 'store.failed', store: this.#deps.store, operation, message });
  }
}
