import type { Clock } from '../../src/core/clock.ts';

interface Timer {
  readonly dueMs: number;
  readonly fire: () => void;
}

/** Time that stands still until a test moves it. Timers fire in order of their due time, inside `advance`. */
export class ManualClock implements Clock {
  #nowMs: number;
  #timers: Timer[] = [];

  constructor(startMs = 1_800_000_000_000) {
    this.#nowMs = startMs;
  }

  /** Unbound on purpose: it is handed around as `nowMs: clock.nowMs`. */
  readonly nowMs = (): number => this.#nowMs;

  /** Timers that have not fired or been cancelled: a test that ends with some has leaked them. */
  get pendingTimers(): number {
    return this.#timers.length;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        cancel();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const cancel = this.after(ms, done);
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { dueMs: this.#nowMs + ms, fire: callback };
    this.#timers.push(timer);
    return () => this.#remove(timer);
  }

  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (let next = this.#next(untilMs); next; next = this.#next(untilMs)) {
      this.#remove(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.fire();
    }
    this.#nowMs = untilMs;
  }

  #next(untilMs: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueMs > untilMs) continue;
      if (!first || timer.dueMs < first.dueMs) first = timer;
    }
    return first;
  }

  #remove(timer: Timer): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
  }
}
