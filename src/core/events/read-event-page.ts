import type { RunId } from '../ids.ts';
import type { Event, EventType } from './event.ts';
import type { EventLog } from './event-log.ts';
import { readKept } from './read-kept.ts';

export interface EventPageRequest {
  readonly runId: RunId;
  /** Events with a higher `seq`. 0: from the oldest that is kept. */
  readonly after: number;
  readonly limit: number;
  readonly types: ReadonlySet<EventType>;
}

export interface EventPage {
  readonly events: readonly Event[];
  /** How far the log was read: the cursor to go on from. */
  readonly throughSeq: number;
  /** Whether there is more by now. */
  readonly hasMore: boolean;
}

const READ_SIZE = 500;
/** Of one page, wanted or not: most of a long log are pieces of text. */
const MAX_READ_EVENTS = 5_000;
/** Payloads of one page: results of tools may be long. */
const MAX_PAGE_CHARS = 4 * 1024 * 1024;

/** A window of a log, for whoever draws a long one piece by piece. Throws `stale_cursor` below what is kept. */
export async function readEventPage(
  log: Pick<EventLog, 'read' | 'floor'>,
  { runId, after, limit, types }: EventPageRequest,
): Promise<EventPage> {
  const events: Event[] = [];
  let throughSeq = after;
  let chars = 0;
  for (let read = 0; read < MAX_READ_EVENTS; read += READ_SIZE) {
    const page = await readNext(log, runId, throughSeq);
    for (const event of page) {
      if (types.has(event.type)) {
        chars += JSON.stringify(event.payload).length;
        const isFull = events.length === limit || (chars > MAX_PAGE_CHARS && events.length > 0);
        if (isFull) return { events, throughSeq, hasMore: true };
        events.push(event);
      }
      throughSeq = event.seq;
    }
    if (page.length < READ_SIZE) return { events, throughSeq, hasMore: false };
  }
  return { events, throughSeq, hasMore: true };
}

/** Whoever has a cursor counts on getting everything after it; whoever has none takes what is kept. */
function readNext(
  log: Pick<EventLog, 'read' | 'floor'>,
  runId: RunId,
  after: number,
): Promise<Event[]> {
  const page = { after, limit: READ_SIZE };
  return after === 0 ? readKept(log, runId, page) : log.read(runId, page);
}
