import type { ProjectionSource } from './projection-source.ts';

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

export interface ProjectionTask {
  readonly source: ProjectionSource;
  readonly id: string;
}

/**
 * Entities that have news, each once, in the order they came. One that could not be written waits by itself and holds
 * up nobody else. More than `maxTasks` are dropped: a scan finds them again.
 */
export interface ProjectionQueue {
  note(task: ProjectionTask): void;
  /** What is due now; the caller says what became of each. */
  take(limit: number, nowMs: number): ProjectionTask[];
  settle(task: ProjectionTask): void;
  retryLater(task: ProjectionTask, nowMs: number): void;
  /** When there is something to take; undefined when nothing waits. */
  nextDueMs(): number | undefined;
  /** True once after something was dropped. */
  takeOverflow(): boolean;
  clear(): void;
}

interface Failed {
  readonly task: ProjectionTask;
  readonly attempts: number;
  readonly dueAtMs: number;
}

export function createProjectionQueue(maxTasks: number): ProjectionQueue {
  const fresh = new Map<string, ProjectionTask>();
  const failed = new Map<string, Failed>();
  let hasOverflown = false;
  const keyOf = ({ source, id }: ProjectionTask) => `${source.projection}:${id}`;

  return {
    note(task) {
      const key = keyOf(task);
      // Its next attempt writes the newest anyway.
      if (fresh.has(key) || failed.has(key)) return;
      if (fresh.size >= maxTasks) hasOverflown = true;
      else fresh.set(key, task);
    },

    take(limit, nowMs) {
      const tasks: ProjectionTask[] = [];
      for (const { task, dueAtMs } of failed.values()) {
        if (tasks.length >= limit) return tasks;
        if (dueAtMs <= nowMs) tasks.push(task);
      }
      for (const [key, task] of fresh) {
        if (tasks.length >= limit) break;
        fresh.delete(key);
        tasks.push(task);
      }
      return tasks;
    },

    settle(task) {
      failed.delete(keyOf(task));
    },

    retryLater(task, nowMs) {
      const key = keyOf(task);
      const attempts = (failed.get(key)?.attempts ?? 0) + 1;
      if (attempts === 1 && failed.size >= maxTasks) {
        hasOverflown = true;
        return;
      }
      const ceilingMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1));
      // Jittered, so that what failed together does not come back together.
      const delayMs = ceilingMs / 2 + (Math.random() * ceilingMs) / 2;
      // Behind the others that wait.
      failed.delete(key);
      failed.set(key, { task, attempts, dueAtMs: nowMs + delayMs });
    },

    nextDueMs() {
      if (fresh.size > 0) return 0;
      let dueMs: number | undefined;
      for (const { dueAtMs } of failed.values()) dueMs = Math.min(dueMs ?? dueAtMs, dueAtMs);
      return dueMs;
    },

    takeOverflow() {
      const had = hasOverflown;
      hasOverflown = false;
      return had;
    },

    clear() {
      fresh.clear();
      failed.clear();
    },
  };
}
