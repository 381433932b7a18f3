import type { Event } from '../events/event.ts';
import { canonicalJson } from '../json.ts';
import type { EventFilter, ListedEvent } from './event-listing.ts';
import type { RecordStore } from './record-store.ts';

/** What the audit is searched for. */
export interface EntryFilter extends EventFilter {
  /** Part of what an event says, of its type or of an id, in any case. */
  readonly text?: string;
}

export interface EntryRequest extends EntryFilter {
  readonly limit: number;
  readonly before?: string;
}

export interface EntryPage {
  readonly events: readonly Event[];
  /** Undefined: nothing older fits. A page may be short, and even empty, and there is more behind it. */
  readonly next: string | undefined;
}

/** Texts are looked for here, so that they are found alike on every engine. */
const SEARCHED_AT_ONCE = 500;
const MAX_LOOKS = 10;
/** 200 events of the longest kind would be an answer of a gigabyte. */
const MAX_ANSWER_CHARS = 4 * 1024 * 1024;

/** Newest first. However rare what is looked for, a page looks through a bounded number of events. */
export async function listEntries(
  records: Pick<RecordStore, 'listEvents'>,
  { text, limit, before, ...filter }: EntryRequest,
): Promise<EntryPage> {
  const page = openPage(limit, text?.toLowerCase());
  let place = before;
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const { events, next } = await records.listEvents({
      ...filter,
      limit: text === undefined ? limit : SEARCHED_AT_ONCE,
      ...(place !== undefined && { before: place }),
    });
    for (const listed of events) {
      if (page.take(listed)) return { events: page.events, next: listed.place };
    }
    if (next === undefined) return { events: page.events, next: undefined };
    place = next;
    if (page.events.length > 0 && text === undefined) break;
  }
  return { events: page.events, next: place };
}

/** Everything that fits, page by page: nobody holds all of it. */
export async function* walkEntries(
  records: Pick<RecordStore, 'listEvents'>,
  { limit, ...filter }: Omit<EntryRequest, 'before'>,
): AsyncGenerator<readonly Event[]> {
  let before: string | undefined;
  do {
    const page = await listEntries(records, { ...filter, limit, ...(before && { before }) });
    yield page.events;
    before = page.next;
  } while (before !== undefined);
}

function openPage(limit: number, wanted: string | undefined) {
  const events: Event[] = [];
  let chars = 0;
  return {
    events,
    /** Whether the page is full with it. */
    take({ event }: ListedEvent): boolean {
      const said = canonicalJson(event.payload);
      if (wanted !== undefined && !mentions(event, said, wanted)) return false;
      events.push(event);
      chars += said.length;
      return events.length >= limit || chars >= MAX_ANSWER_CHARS;
    },
  };
}

function mentions({ id, runId, agentId, type }: Event, said: string, wanted: string): boolean {
  return [id, runId, agentId, type, said].some((part) => part.toLowerCase().includes(wanted));
}
