import type { Clock } from '../clock.ts';

/** A pending deadline; `cancel` it when what it guards has ended. Cancelling twice, or late, does nothing. */
export interface Deadline {
  cancel(): void;
}

/**
 * Durations are few, one or two per tool; each has a queue of its own. Beyond this many, a deadline gets a timer
 * of its own.
 */
const MAX_QUEUES = 256;

/**
 * Timeouts that cost little when they do not fire. Calls with the same duration expire in the order they began, so
 * a queue and one timer for its head serve them all: beginning and cancelling are a few pointer writes, where a
 * timer each is about twice the price of everything else in a guarded call.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #queues = new Map<number, DeadlineQueue>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls back once `ms` after `nowMs`, which whoever has just read the clock may give, unless cancelled. */
  start(ms: number, onExpired: () => void, nowMs = this.#clock.nowMs()): Deadline {
    let queue = this.#queues.get(ms);
    if (!queue) {
      if (this.#queues.size >= MAX_QUEUES) return { cancel: this.#clock.after(ms, onExpired) };
      queue = new DeadlineQueue(this.#clock, ms);
      this.#queues.set(ms, queue);
    }
    return queue.push(onExpired, nowMs);
  }

  /** How many are pending, for tests of leaks. */
  get pending(): number {
    let total = 0;
    for (const queue of this.#queues.values()) total += queue.length;
    return total;
  }
}

class Entry implements Deadline {
  readonly queue: DeadlineQueue;
  readonly onExpired: () => void;
  dueMs: number;
  previous: Entry | undefined = undefined;
  next: Entry | undefined = undefined;
  isPending = true;

  constructor(queue: DeadlineQueue, dueMs: number, onExpired: () => void) {
    this.queue = queue;
    this.dueMs = dueMs;
    this.onExpired = onExpired;
  }

  cancel(): void {
    this.queue.remove(this);
  }
}

class DeadlineQueue {
  readonly #clock: Clock;
  readonly #durationMs: number;
  #head: Entry | undefined;
  #tail: Entry | undefined;
  #isArmed = false;
  #lastMs = 0;
  length = 0;

  constructor(clock: Clock, durationMs: number) {
    this.#clock = clock;
    this.#durationMs = durationMs;
  }

  push(onExpired: () => void, nowMs: number): Entry {
    this.#follow(nowMs);
    const entry = new Entry(this, nowMs + this.#durationMs, onExpired);
    entry.previous = this.#tail;
    if (this.#tail) this.#tail.next = entry;
    else this.#head = entry;
    this.#tail = entry;
    this.length += 1;
    if (!this.#isArmed) this.#arm(this.#durationMs);
    return entry;
  }

  remove(entry: Entry): void {
    if (!entry.isPending) return;
    entry.isPending = false;
    this.length -= 1;
    if (entry.previous) entry.previous.next = entry.next;
    else this.#head = entry.next;
    if (entry.next) entry.next.previous = entry.previous;
    else this.#tail = entry.previous;
    // The timer stays armed for whoever comes next: a busy queue empties and fills all the time.
  }

  #arm(delayMs: number): void {
    this.#isArmed = true;
    this.#clock.after(delayMs, () => this.#expire());
  }

  #expire(): void {
    this.#isArmed = false;
    const nowMs = this.#clock.nowMs();
    this.#follow(nowMs);
    for (let entry = this.#head; entry && entry.dueMs <= nowMs; entry = this.#head) {
      this.remove(entry);
      entry.onExpired();
    }
    // A callback may have begun a new deadline and armed the timer itself.
    if (this.#head && !this.#isArmed) this.#arm(this.#head.dueMs - nowMs);
  }

  /** The wall clock may be set back; what is pending moves with it, or it would wait for the lost time again. */
  #follow(nowMs: number): void {
    const backMs = this.#lastMs - nowMs;
    if (backMs > 0) {
      for (let entry = this.#head; entry; entry = entry.next) entry.dueMs -= backMs;
    }
    this.#lastMs = nowMs;
  }
}
