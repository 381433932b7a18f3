import type { Actor, Event, EventType } from '../../core/events/event.ts';
import type { ReadPage } from '../../core/events/event-log.ts';
import { CHAIN_ROOT } from '../../core/events/hash-chain.ts';
import type { AgentId, EventId, RunId } from '../../core/ids.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Database } from './driver.ts';
import { allRows, getRow } from './rows.ts';

/** A page is read on the event loop in one go. */
const MAX_PAGE_EVENTS = 1_000;

/** In the order of the columns. Arrays, since an object for every row takes a quarter of reading it. */
type EventRow = readonly [
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
    FROM events WHERE run_no = ? AND seq >= ? ORDER BY seq LIMIT (? + 0)`);
  selectPage.setReturnArrays(true);

  return (runId: RunId, { after, limit }: ReadPage): Event[] => {
    const run = getRow<{ no: number; agent_id: AgentId }>(selectRun, runId);
    if (!run) return [];
    const size = Math.max(0, Math.min(Math.trunc(limit), MAX_PAGE_EVENTS));
    const events: Event[] = [];
    let prevHash = CHAIN_ROOT;
    for (const row of allRows<EventRow>(selectPage, run.no, after, size + 1)) {
      const [seq, id, type, atMs, actor, payload, redactions, hash] = row;
      if (seq > after && events.length < size) {
        events.push({
          id,
          runId,
          agentId: run.agent_id,
          seq,
          type,
          atMs,
          actor,
          payload: JSON.parse(payload) as JsonObject,
          redactions: redactions === '[]' ? NONE : (JSON.parse(redactions) as string[]),
          prevHash,
          hash,
        });
      }
      prevHash = hash;
    }
    return events;
  };
}

const NONE: readonly string[] = [];
