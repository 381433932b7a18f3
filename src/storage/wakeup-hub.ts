import { RuntimeError } from '../core/errors.ts';
import { runTopic, type Subscription, type Topic, type Wakeups } from '../core/events/event-log.ts';
import type { RunId, WorkerId } from '../core/ids.ts';
import { Waiter } from './waiter.ts';

/** Each open stream holds one. */
const MAX_SUBSCRIPTIONS = 20_000;

const WORKER_TOPIC = 'worker:';

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
  const workerWatchers = new Set<(workerId: WorkerId) => void>();
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

  function watchWorkers(listener: (workerId: WorkerId) => void): () => void {
    const watcher = (workerId: WorkerId) => listener(workerId);
    workerWatchers.add(watcher);
    return () => workerWatchers.delete(watcher);
  }

  function wakeTopic(topic: Topic): void {
    notify(topic);
    if (!topic.startsWith(WORKER_TOPIC)) return;
    const workerId = topic.slice(WORKER_TOPIC.length) as WorkerId;
    for (const watcher of workerWatchers) watcher(workerId);
  }

  function tellWatchers(runIds: readonly RunId[]): void {
    for (const watcher of watchers) for (const runId of runIds) watcher(runId);
  }

  return {
    wakeups: { subscribe, watchRuns, watchWorkers },

    wake(runIds, queueTouched) {
      for (const runId of runIds) notify(runTopic(runId));
      if (queueTouched) notify('queue');
      tellWatchers(runIds);
    },

    wakeTopic,

    wakeAll(changedRuns) {
      for (const topic of topics.keys()) notify(topic);
      if (watchers.size > 0) tellWatchers(changedRuns());
    },

    close() {
      for (const waiters of topics.values()) for (const waiter of waiters) waiter.close();
      topics.clear();
      watchers.clear();
      workerWatchers.clear();
    },
  };
}
