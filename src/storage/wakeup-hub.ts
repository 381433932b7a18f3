import { RuntimeError } from '../core/errors.ts';
import { runTopic, type Subscription, type Topic, type Wakeups } from '../core/events/event-log.ts';
import type { RunId } from '../core/ids.ts';

/** Each open stream holds one. */
const MAX_SUBSCRIPTIONS = 20_000;

/** How long a waiter sleeps at most: a lost wake-up costs this much and no more. */
const SAFETY_POLL_MS = 5_000;

export interface WakeupHub {
  readonly wakeups: Wakeups;
  wake(runIds: readonly RunId[], queueTouched: boolean): void;
  /** Something that is not a run has news. */
  wakeTopic(topic: Topic): void;
  /** Something changed and nobody knows what: everybody looks. */
  wakeAll(changedRuns: () => readonly RunId[]): void;
  /** Ends every wait. */
  close(): void;
}

export function createWakeupHub(nowMs: () => number): WakeupHub {
  const topics = new Map<Topic, Set<Waiter>>();
  const watchers = new Set<(runId: RunId) => void>();
  let open = 0;

  function notify(topic: Topic): void {
    for (const waiter of topics.get(topic) ?? []) waiter.wake();
  }

  function subscribe(topic: Topic): Subscription {
    if (open >= MAX_SUBSCRIPTIONS) {
      const message = `more than ${MAX_SUBSCRIPTIONS} streams are waiting for events`;
      throw new RuntimeError('storage_unavailable', message);
    }
    open += 1;
    const waiter = new Waiter(nowMs);
    const waiters = topics.get(topic) ?? new Set();
    topics.set(topic, waiters.add(waiter));
    return {
      next: (options) => waiter.next(options),
      close() {
        if (!waiters.delete(waiter)) return;
        open -= 1;
        if (waiters.size === 0 && topics.get(topic) === waiters) topics.delete(topic);
        waiter.close();
      },
    };
  }

  function watchRuns(listener: (runId: RunId) => void): () => void {
    // A wrapper of its own: the same listener may watch twice, and each watch ends by itself.
    const watcher = (runId: RunId) => listener(runId);
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }

  function tellWatchers(runIds: readonly RunId[]): void {
    for (const watcher of watchers) for (const runId of runIds) watcher(runId);
  }

  return {
    wakeups: { subscribe, watchRuns },

    wake(runIds, queueTouched) {
      for (const runId of runIds) notify(runTopic(runId));
      if (queueTouched) notify('queue');
      tellWatchers(runIds);
    },

    wakeTopic: notify,

    wakeAll(changedRuns) {
      for (const topic of topics.keys()) notify(topic);
      if (watchers.size > 0) tellWatchers(changedRuns());
    },

    close() {
      for (const waiters of topics.values()) for (const waiter of waiters) waiter.close();
      topics.clear();
      watchers.clear();
    },
  };
}

/** Remembers one wake-up while nobody waits; more would say nothing new. */
class Waiter {
  readonly #nowMs: () => number;
  #woken = false;
  #closed = false;
  #finish: ((woken: boolean) => void) | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  wake(): void {
    if (this.#finish) this.#finish(true);
    else this.#woken = true;
  }

  close(): void {
    this.#closed = true;
    this.#finish?.(false);
  }

  next(options: { readonly deadlineMs?: number; readonly signal?: AbortSignal }): Promise<boolean> {
    const { deadlineMs = Number.POSITIVE_INFINITY, signal } = options;
    if (this.#closed || signal?.aborted) return Promise.resolve(false);
    if (this.#woken) {
      this.#woken = false;
      return Promise.resolve(true);
    }
    // A second wait replaces the first, which goes back to its caller to look.
    this.#finish?.(true);
    const leftMs = deadlineMs - this.#nowMs();
    if (leftMs <= 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const onAbort = () => finish(false);
      const timer = setTimeout(
        () => finish(leftMs > SAFETY_POLL_MS),
        Math.min(leftMs, SAFETY_POLL_MS),
      );
      timer.unref();
      const finish = (woken: boolean) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#finish = undefined;
        resolve(woken);
      };
      this.#finish = finish;
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }
}
