import type { Clock } from '../clock.ts';
import type { RunId } from '../ids.ts';
import { type Event, isTerminalEvent } from './event.ts';
import { type EventLog, runTopic, type Wakeups } from './event-log.ts';

const PAGE_SIZE = 500;

export interface TailDeps {
  readonly log: EventLog;
  readonly wakeups: Wakeups;
  readonly clock: Clock;
}

export interface TailRequest {
  readonly runId: RunId;
  readonly after: number;
  /** How long to wait for the next event; counted anew after every page that brought one. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/**
 * The events of a run after a cursor, as pages, in order and without gaps. Ends after the terminal event, after
 * `idleMs` without news, or when the reader leaves. Each reader pages at its own pace, so a slow one costs nothing.
 */
export async function* tailRun(deps: TailDeps, request: TailRequest): AsyncGenerator<Event[]> {
  // Subscribe before the first read: an event committed between the two would wake nobody.
  const wakeup = deps.wakeups.subscribe(runTopic(request.runId));
  try {
    let cursor = request.after;
    let deadlineMs = deps.clock.nowMs() + request.idleMs;
    while (!request.signal.aborted) {
      const page = await deps.log.read(request.runId, { after: cursor, limit: PAGE_SIZE });
      const last = page.at(-1);
      if (last) {
        yield page;
        if (isTerminalEvent(last)) return;
        cursor = last.seq;
        deadlineMs = deps.clock.nowMs() + request.idleMs;
      }
      if (page.length === PAGE_SIZE) continue;
      const woken = await wakeup.next({ deadlineMs, signal: request.signal });
      if (!woken) return;
    }
  } finally {
    wakeup.close();
  }
}
