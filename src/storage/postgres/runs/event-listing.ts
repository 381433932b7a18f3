import { clampLimit } from '../../../core/clamp-limit.ts';
import {
  type EventListing,
  type EventPage,
  MAX_LOOKED_AT,
  unknownPlace,
} from '../../../core/records/event-listing.ts';
import { isStorableId } from '../../tables/column.ts';
import type { Database } from '../database.ts';
import { MAX_PAGE_EVENTS } from '../statement.ts';
import { readEvent, type StoredEvent } from './event-log.ts';

interface Place {
  readonly at_ms: number;
  readonly run_id: string;
  readonly seq: number;
}

/** Above all times that there are. */
const END: Place = { at_ms: Number.MAX_SAFE_INTEGER, run_id: '', seq: 0 };

/** One run is found by its key, all runs by time: a statement that could do both would do neither well. */
const OF_ALL = prepareListing('all_events', '$1::text is null');
const OF_RUN = prepareListing('run_events', 'run_id = $1');

function prepareListing(name: string, where: string) {
  // Keys alone are looked through: what events say is read of those that fit.
  const lookedAt = `
    select run_id, seq, type, at_ms from events
    where ${where} and at_ms >= $2 and at_ms < $3
      and at_ms <= $4 and (at_ms, run_id, seq) < ($4, $5, $6)
    order by at_ms desc, run_id desc, seq desc`;
  const list = `
    with looked as (${lookedAt} limit ${MAX_LOOKED_AT})
    select e.run_id, r.agent_id, e.seq, e.id, e.type, e.at_ms, e.actor, e.payload, e.redactions, e.prev_hash, e.hash
    from looked l join runs r on r.id = l.run_id join events e on e.run_id = l.run_id and e.seq = l.seq
    where l.type = any($7::text[]) and ($8::text is null or r.agent_id = $8)
    order by l.at_ms desc, l.run_id desc, l.seq desc limit $9`;
  return {
    list: { name: `list_${name}`, text: list },
    end: { name: `end_${name}`, text: `${lookedAt} offset ${MAX_LOOKED_AT - 1} limit 1` },
  };
}

export async function listEvents(database: Database, page: EventPage): Promise<EventListing> {
  if (page.runId !== undefined && !isStorableId(page.runId)) return NOTHING;
  if (page.agentId !== undefined && !isStorableId(page.agentId)) return NOTHING;
  const listing = page.runId === undefined ? OF_ALL : OF_RUN;
  const limit = clampLimit(page.limit, MAX_PAGE_EVENTS);
  const before = page.before === undefined ? END : parsePlace(page.before);
  const window = [
    ...[page.runId ?? null, page.sinceMs ?? 0, page.untilMs ?? END.at_ms],
    ...[before.at_ms, before.run_id, before.seq],
  ];
  const stored = await database.read<StoredEvent>({
    ...listing.list,
    values: [...window, page.types, page.agentId ?? null, limit],
  });
  const events = stored.map((row) => ({ place: encodePlace(row), event: readEvent(row) }));
  if (stored.length === limit) return { events, next: events.at(-1)?.place };
  const [last] = await database.read<Place>({
    ...listing.end,
    values: window,
  });
  return { events, next: last && encodePlace(last) };
}

const NOTHING: EventListing = { events: [], next: undefined };

function encodePlace({ at_ms, run_id, seq }: Place): string {
  return `${at_ms}.${seq}.${run_id}`;
}

function parsePlace(text: string): Place {
  const match = /^(\d{1,15})\.(\d{1,15})\.([\w-]{1,128})$/.exec(text);
  if (match === null) throw unknownPlace();
  const [, atMs, seq, runId = ''] = match;
  return { at_ms: Number(atMs), seq: Number(seq), run_id: runId };
}
