import { takeTurn } from '../core/take-turn.ts';

/** How long a waiter sleeps at most: a lost wake-up costs this much and no more. */
const SAFETY_POLL_MS = 5_000;

export interface WaitOptions {
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Remembers one wake-up while nobody waits; more would say nothing new. Timer and listener outlive a wait and serve the
 * next one: a stream waits after every event, and setting them up anew each time took as long as sending the event.
 */
export class Waiter {
  readonly #nowMs: () => number;
  readonly #onAbort = () => this.#settle(false);
  #isWoken = false;
  #isClosed = false;
  #resolve: ((woken: boolean) => void) | undefined;
  #signal: AbortSignal | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer fires, and when the wait under way is over, by the process's own clock. */
  #firesAt = 0;
  #endsAt = 0;
  /** What the end of the wait under way means: time to look again, or the deadline. */
  #endsAsPoll = false;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  wake(): void {
    if (this.#resolve) this.#settle(true);
    else this.#isWoken = true;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#signal = undefined;
    this.#settle(false);
  }

  next({ deadlineMs = Number.POSITIVE_INFINITY, signal }: WaitOptions): Promise<boolean> {
    if (this.#isClosed || signal?.aborted) return inNextTurn(false);
    if (this.#isWoken) {
      this.#isWoken = false;
      return inNextTurn(true);
    }
    // A second wait replaces the first, which goes back to its caller to look.
    this.#settle(true);
    const leftMs = deadlineMs - this.#nowMs();
    if (leftMs <= 0) return inNextTurn(false);
    this.#endsAsPoll = leftMs > SAFETY_POLL_MS;
    this.#endsAt = performance.now() + Math.min(leftMs, SAFETY_POLL_MS);
    this.#listenTo(signal);
    this.#arm();
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  #settle(woken: boolean): void {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    resolve?.(woken);
  }

  #listenTo(signal: AbortSignal | undefined): void {
    if (signal === this.#signal) return;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** A timer that fires too early is left alone: it looks again at when it is needed. */
  #arm(): void {
    if (this.#timer && this.#firesAt <= this.#endsAt) return;
    clearTimeout(this.#timer);
    this.#firesAt = this.#endsAt;
    const delayMs = Math.max(1, Math.ceil(this.#endsAt - performance.now()));
    this.#timer = setTimeout(() => this.#onTime(), delayMs);
    this.#timer.unref();
  }

  #onTime(): void {
    this.#timer = undefined;
    if (!this.#resolve) return;
    if (performance.now() >= this.#endsAt) this.#settle(this.#endsAsPoll);
    else this.#arm();
  }
}

/** Never at once: a loop that is answered so over and over, for whatever reason, would let nobody else run. */
async function inNextTurn(woken: boolean): Promise<boolean> {
  await takeTurn();
  return woken;
}
