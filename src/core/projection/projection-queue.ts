import { type Backoff, backoffMs } from '../backoff.ts';
import type { ProjectionSource } from './projection-source.ts';

const RETRY: Backoff = { firstMs: 1_000, maxMs: 60_000, jitter: 0.5 };

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
  /** How far the news go by now. */
  mark(): number;
  /** What is due; the caller says what became of each before it takes more. */
  take(round: Round): TakenTask[];
  settle(task: ProjectionTask): void;
  retryLater(task: ProjectionTask, nowMs: number): void;
  /** When there is something to take; undefined when nothing waits. */
  nextDueMs(): number | undefined;
  /** True once after something was dropped. */
  takeOverflow(): boolean;
  clear(): void;
}

interface Round {
  readonly limit: number;
  readonly nowMs: number;
  /** Between two marks: what was noted before or is noted later, also of the same entity, is left for another round. */
  readonly news: Span;
}

export interface Span {
  readonly after: number;
  readonly through: number;
}

export interface TakenTask extends ProjectionTask {
  readonly isRetry: boolean;
}

interface Fresh {
  readonly task: ProjectionTask;
  readonly no: number;
}

interface Failed {
  readonly task: ProjectionTask;
  readonly attempts: number;
  readonly dueAtMs: number;
}

export function createProjectionQueue(maxTasks: number): ProjectionQueue {
  const fresh = new Map<string, Fresh>();
  const failed = new Map<string, Failed>();
  /** Those of the failed that are tried just now. */
  const tried = new Set<string>();
  let hasOverflown = false;
  let noted = 0;

  return {
    note(task) {
      const key = keyOf(task);
      // Its next attempt writes the newest anyway; one that is under way may have read the log already.
      if (fresh.has(key) || (failed.has(key) && !tried.has(key))) return;
      if (fresh.size >= maxTasks) {
        hasOverflown = true;
        return;
      }
      noted += 1;
      fresh.set(key, { task, no: noted });
    },

    mark: () => noted,

    // Half of a round at most is for what failed before: it may fail for ever.
    take({ limit, nowMs, news }) {
      const forFailed = Math.max(Math.ceil(limit / 2), limit - fresh.size);
      const again = takeDue(failed, forFailed, nowMs);
      for (const task of again) {
        tried.add(keyOf(task));
        fresh.delete(keyOf(task));
      }
      return [...again, ...takeFresh(fresh, limit - again.length, news)];
    },

    settle(task) {
      failed.delete(keyOf(task));
      tried.delete(keyOf(task));
    },

    retryLater({ source, id }, nowMs) {
      const key = keyOf({ source, id });
      const attempts = (failed.get(key)?.attempts ?? 0) + 1;
      if (attempts === 1 && failed.size >= maxTasks) {
        hasOverflown = true;
        return;
      }
      // Behind the others that wait, and with the news that came meanwhile.
      failed.delete(key);
      tried.delete(key);
      fresh.delete(key);
      failed.set(key, {
        task: { source, id },
        attempts,
        dueAtMs: nowMs + backoffMs(RETRY, attempts),
      });
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
      tried.clear();
    },
  };
}

function keyOf({ source, id }: ProjectionTask): string {
  return `${source.projection}:${id}`;
}

function takeDue(failed: ReadonlyMap<string, Failed>, limit: number, nowMs: number): TakenTask[] {
  const tasks: TakenTask[] = [];
  for (const { task, dueAtMs } of failed.values()) {
    if (tasks.length >= limit) break;
    if (dueAtMs <= nowMs) tasks.push({ ...task, isRetry: true });
  }
  return tasks;
}

function takeFresh(fresh: Map<string, Fresh>, limit: number, news: Span): TakenTask[] {
  const tasks: TakenTask[] = [];
  for (const [key, { task, no }] of fresh) {
    if (tasks.length >= limit || no > news.through) break;
    if (no <= news.after) continue;
    fresh.delete(key);
    tasks.push({ ...task, isRetry: false });
  }
  return tasks;
}
