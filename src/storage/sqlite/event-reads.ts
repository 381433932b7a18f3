import type { Actor, Event, EventType } from '../../core/events/event.ts';
import type { ReadPage } from '../../core/events/event-log.ts';
import type { AgentId, EventId, RunId } from '../../core/ids.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Database } from './driver.ts';
import { allRows, getRow } from './rows.ts';

/** A page is read on the event loop in one go. */
const MAX_PAGE_EVENTS = 1_000;

interface EventRow {
  readonly seq: number;
  readonly id: EventId;
  readonly type: EventType;
  readonly at_ms: number;
  readonly actor: Actor;
  readonly payload: string;
  readonly redactions: string;
  readonly prev_hash: string;
  readonly hash: string;
}

export function createEventReads(db: Database) {
  const selectRun = db.prepare('SELECT no, agent_id FROM runs WHERE id = ?');
  const selectPage = db.prepare(`
    SELECT seq, id, type, at_ms, actor, payload, redactions, prev_hash, hash
    FROM events WHERE run_no = ? AND seq > ? ORDER BY seq LIMIT ?`);

  return (runId: RunId, { after, limit }: ReadPage): Event[] => {
    const run = getRow<{ no: number; agent_id: AgentId }>(selectRun, runId);
    if (!run) return [];
    const size = Math.max(0, Math.min(Math.trunc(limit), MAX_PAGE_EVENTS));
    return allRows<EventRow>(selectPage, run.no, after, size).map((row) => ({
      id: row.id,
      runId,
      agentId: run.agent_id,
      seq: row.seq,
      type: row.type,
      atMs: row.at_ms,
      actor: row.actor,
      payload: JSON.parse(row.payload) as JsonObject,
      redactions: JSON.parse(row.redactions) as string[],
      prevHash: row.prev_hash,
      hash: row.hash,
    }));
  };
}
