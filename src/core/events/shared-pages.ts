import type { RunId } from '../ids.ts';
import type { Event } from './event.ts';
import type { EventLog } from './event-log.ts';

/** One reader's view of a run that others may read too. */
export interface PageReader {
  /** As `EventLog.read`: nothing that was committed before the call is missing. Pages are shared and must not be changed. */
  read(after: number): Promise<Event[]>;
  leave(): void;
}

/** A reader that stalls holds its page: with tool outputs of 64 KB each, a hundred events are 6 MB, and no more. */
export const PAGE_SIZE = 100;
/** How many places of one run its readers may be at and still share what they read. */
const MAX_KEPT_PAGES = 4;

/** What the readers of one run share. A run with one reader keeps nothing; one with many keeps less than they hold. */
interface SharedRun {
  readers: number;
  /** By cursor, the page after it. Only pages with events: those stay true, while an empty one may be so no longer. */
  readonly pages: Map<number, Event[]>;
  readonly reading: Map<number, Promise<Event[]>>;
}

const runsOf = new WeakMap<EventLog, Map<RunId, SharedRun>>();

/** Readers of one run that are at the same place read its log once: a thousand of them would else read it a thousand times. */
export function openPageReader(log: EventLog, runId: RunId): PageReader {
  const runs = runsOf.get(log) ?? new Map<RunId, SharedRun>();
  runsOf.set(log, runs);
  const shared = runs.get(runId) ?? { readers: 0, pages: new Map(), reading: new Map() };
  runs.set(runId, shared);
  shared.readers += 1;
  let hasLeft = false;

  return {
    read: (after) => readShared({ log, runId, shared, after }),

    leave() {
      if (hasLeft) return;
      hasLeft = true;
      shared.readers -= 1;
      if (shared.readers <= 1) shared.pages.clear();
      if (shared.readers === 0) runs.delete(runId);
    },
  };
}

interface SharedRead {
  readonly log: EventLog;
  readonly runId: RunId;
  readonly shared: SharedRun;
  readonly after: number;
}

async function readShared(read: SharedRead): Promise<Event[]> {
  const { shared, after } = read;
  if (shared.readers === 1) return readLog(read);
  const kept = shared.pages.get(after);
  if (kept) return kept;
  const begun = shared.reading.get(after);
  if (begun) {
    const events = await begun;
    if (events.length > 0) return events;
    // It may have begun before the event that this reader was woken for; one that began meanwhile has not.
    const next = shared.reading.get(after);
    if (next) return next;
  }
  return begin(read);
}

function begin(read: SharedRead): Promise<Event[]> {
  const { shared, after } = read;
  const reading = readLog(read)
    .then((events) => {
      if (events.length > 0 && shared.readers > 1) keep(shared.pages, after, events);
      return events;
    })
    .finally(() => shared.reading.delete(after));
  shared.reading.set(after, reading);
  return reading;
}

function readLog({ log, runId, after }: SharedRead): Promise<Event[]> {
  return log.read(runId, { after, limit: PAGE_SIZE });
}

function keep(pages: Map<number, Event[]>, after: number, events: Event[]): void {
  pages.set(after, events);
  const [oldest] = pages.keys();
  if (pages.size > MAX_KEPT_PAGES && oldest !== undefined) pages.delete(oldest);
}
