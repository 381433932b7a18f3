import type { RunId } from '../ids.ts';
import type { Event } from './event.ts';

export interface ReadPage {
  /** Events with a `seq` above this are read. */
  readonly after: number;
  readonly limit: number;
}

/** Reading what happened. Writing goes through the RunStore, where each write is one atomic method. */
export interface EventLog {
  /** In `seq` order. An unknown run reads as empty. */
  read(runId: RunId, page: ReadPage): Promise<Event[]>;

  /** Only its `frame.accepted` events, in `seq` order. */
  readFrames(runId: RunId, page: ReadPage): Promise<Event[]>;
}

/**
 * Wake-ups carry no data: they only say that reading again may pay off. A lost one costs latency, never an event,
 * because every waiter also polls slowly.
 */
export interface Wakeups {
  subscribe(topic: Topic): Subscription;
  /** Called with the id of every run that got events, from this process or, where the engine can tell, another. */
  watchRuns(listener: (runId: RunId) => void): () => void;
}

/** `run:<id>`: new events of one run. `worker:<id>`: new events of one worker. `queue`: a run may be due. */
export type Topic = `run:${string}` | `worker:${string}` | 'queue';

export interface Subscription {
  /** True when woken (also by the slow poll), false when the deadline passed or the signal aborted. */
  next(options: { readonly deadlineMs?: number; readonly signal?: AbortSignal }): Promise<boolean>;
  close(): void;
}

export function runTopic(runId: RunId): Topic {
  return `run:${runId}`;
}
