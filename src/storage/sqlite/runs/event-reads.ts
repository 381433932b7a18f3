import { clampLimit } from '../../../core/clamp-limit.ts';
import type { Actor, Event, EventType } from '../../../core/events/event.ts';
import type { ReadPage } from '../../../core/events/event-log.ts';
import { CHAIN_ROOT } from '../../../core/events/hash-chain.ts';
import { staleCursor } from '../../../core/events/stale-cursor.ts';
import { unreadableEvent } from '../../../core/events/unreadable-event.ts';
import type { AgentId, EventId, RunId } from '../../../core/ids.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { Database } from '../driver.ts';
import { allRows, getRow } from '../rows.ts';
import { createAnchorReads } from './anchor-reads.ts';
import { createLogParts, type LogPart, PART_EVENTS } from './log-parts.ts';

/** A page is read on the event loop in one go. */
export const MAX_PAGE_EVENTS = 1_000;

/** In the order of the columns. Arrays, since an object for every row takes a quarter of reading it. */
export type EventRow = readonly [
  seq: number,
  id: EventId,
  type: EventType,
  atMs: number,
  actor: Actor,
  payload: string,
  redactions: string,
  hash: string,
];

export function createEventReads(db: Database) {
  const selectRun = db.prepare('SELECT no, agent_id FROM runs WHERE id = ?');
  // From the event at the cursor on: its hash is the next one's `prev_hash`. The limit is no bare parameter, because
  // SQLite plans such a statement anew whenever it is bound: 9 µs, twice as long as reading one event.
  const selectPage = db.prepare(`
    SELECT seq, id, type, at_ms, actor, payload, redactions, hash
    FROM events WHERE part_no = ? AND seq >= ? ORDER BY seq LIMIT (? + 0)`);
  selectPage.setReturnArrays(true);
  const begin = db.prepare('BEGIN');
  const commit = db.prepare('COMMIT');
  const parts = createLogParts(db);
  const selectAnchor = createAnchorReads(db);

  /** Of the first row read. The floor is only asked for when the log does not go on right at the cursor. */
  function findPrevHash(runNo: number, runId: RunId, { after, first }: PageStart): string {
    if (first === undefined || first === after || (first === 1 && after <= 0)) return CHAIN_ROOT;
    const anchor = selectAnchor.ofRow(runNo);
    if (anchor.seq > 0 && after < anchor.seq) throw staleCursor(runId, after, anchor.seq);
    return anchor.seq === after ? anchor.hash : CHAIN_ROOT;
  }

  function readParts(runNo: number, after: number, count: number): EventRow[] {
    const rows: EventRow[] = [];
    let part: LogPart | undefined = parts.at(runNo, after);
    while (part && rows.length < count) {
      for (const row of allRows<EventRow>(selectPage, part.no, after, count - rows.length)) {
        rows.push(row);
      }
      part = parts.after(runNo, part);
    }
    return rows;
  }

  /** In one transaction where there are parts: between two of them, somebody might delete the beginning of the log. */
  function readRows(runNo: number, after: number, count: number): EventRow[] {
    if (after < PART_EVENTS) {
      const rows = allRows<EventRow>(selectPage, runNo, after, count);
      const last = rows.at(-1)?.[0] ?? PART_EVENTS;
      if (rows.length === count || last < PART_EVENTS) return rows;
    }
    begin.get();
    try {
      return readParts(runNo, after, count);
    } finally {
      // A disk that failed has ended it, and that is what the reader is told of.
      if (db.isTransaction) commit.get();
    }
  }

  return (runId: RunId, { after, limit }: ReadPage): Event[] => {
    const run = getRow<{ no: number; agent_id: AgentId }>(selectRun, runId);
    if (!run) return [];
    const size = clampLimit(limit, MAX_PAGE_EVENTS);
    const events: Event[] = [];
    const rows = readRows(run.no, after, size + 1);
    let prevHash = findPrevHash(run.no, runId, { after, first: rows[0]?.[0] });
    for (const row of rows) {
      const [seq, , , , , , , hash] = row;
      if (seq > after && events.length < size) {
        events.push(toEvent(row, { runId, agentId: run.agent_id, prevHash }));
      }
      prevHash = hash;
    }
    return events;
  };
}

interface PageStart {
  readonly after: number;
  /** The `seq` of the first row read. */
  readonly first: number | undefined;
}

const NONE: readonly string[] = [];

export type EventOrigin = Pick<Event, 'runId' | 'agentId' | 'prevHash'>;

/** Throws an error that names run and event when its row is damaged. */
export function toEvent(row: EventRow, origin: EventOrigin): Event {
  try {
    return decodeEvent(row, origin);
  } catch (cause) {
    throw unreadableEvent(origin.runId, row[0], cause);
  }
}

function decodeEvent(row: EventRow, { runId, agentId, prevHash }: EventOrigin): Event {
  const [seq, id, type, atMs, actor, payload, redactions, hash] = row;
  return {
    id,
    runId,
    agentId,
    seq,
    type,
    atMs,
    actor,
    payload: JSON.parse(payload) as JsonObject,
    redactions: redactions === '[]' ? NONE : (JSON.parse(redactions) as string[]),
    prevHash,
    hash,
  };
}
