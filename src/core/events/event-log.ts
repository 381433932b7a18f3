import type { RunId, WorkerId } from '../ids.ts';
import type { Event, NewsEvent } from './event.ts';
import type { ChainPosition } from './hash-chain.ts';

export interface ReadPage {
  /** Events with a `seq` above this are read. */
  readonly after: number;
  readonly limit: number;
  /**
   * Whether what this process has written a moment ago will do, as it does for followers, for readers that need whole
   * events. A store may then answer from memory; whoever checks what is stored leaves it out.
   */
  readonly mayBeRecent?: boolean;
}

/** Reading what happened. Writing goes through the RunStore, where each write is one atomic method. */
export interface EventLog {
  /**
   * In `seq` order. An unknown run reads as empty. Throws `stale_cursor` when events after the cursor were deleted, so
   * that nobody takes the next one there is for the next one there was.
   */
  read(runId: RunId, page: ReadPage): Promise<Event[]>;

  /** Only its `frame.accepted` events, in `seq` order; of an ended run those that are kept. */
  readFrames(runId: RunId, page: ReadPage): Promise<Event[]>;

  /** The `seq` of the last event that retention deleted: the oldest cursor that can be read from. 0: all are there. */
  floor(runId: RunId): Promise<number>;

  /** The floor with that event's hash, which the first event kept names as the one before it. */
  anchor(runId: RunId): Promise<ChainPosition>;
}

/** The log for those who follow it. Nobody proves anything by it: it may be served from memory. */
export interface EventNews {
  /** As `EventLog` reads. What another process has just written may come with the wake-up that tells of it. */
  read(runId: RunId, page: ReadPage): Promise<NewsEvent[]>;
  /** True when the run is known to exist and not to have ended; false when only its row can tell. */
  isOpen(runId: RunId): boolean;
}

export function toNews(log: Pick<EventLog, 'read'>): EventNews {
  return {
    read: (runId, page) => log.read(runId, { ...page, mayBeRecent: true }),
    isOpen: () => false,
  };
}

/**
 * Wake-ups carry no data: they only say that reading again may pay off. A lost one costs latency, never an event,
 * because every waiter also polls slowly.
 */
export interface Wakeups {
  subscribe(topic: Topic): Subscription;
  /** Called with the id of every run that got events, from this process or, where the engine can tell, another. */
  watchRuns(listener: (runId: RunId) => void): () => void;
  /** The same for workers. */
  watchWorkers(listener: (workerId: WorkerId) => void): () => void;
}

/** `run:<id>`: new events of one run. `worker:<id>`: new events of one worker. `queue`: a run may be due.
 * `secrets`: another node changed them. */
export type Topic = `run:${string}` | `worker:${string}` | 'queue' | 'secrets';

export interface Subscription {
  /**
   * True when woken (also by the slow poll), false when the deadline passed, the signal aborted or nobody will wake any
   * more. Always takes a turn of the event loop: whoever waits in a loop holds nobody up.
   */
  next(options: { readonly deadlineMs?: number; readonly signal?: AbortSignal }): Promise<boolean>;
  close(): void;
}

export function runTopic(runId: RunId): Topic {
  return `run:${runId}`;
}
