import { clampLimit } from '../../../core/clamp-limit.ts';
import type { Event } from '../../../core/events/event.ts';
import type { ReadPage } from '../../../core/events/event-log.ts';
import { CHAIN_ROOT } from '../../../core/events/hash-chain.ts';
import type { AgentId, RunId } from '../../../core/ids.ts';
import type { Database } from '../driver.ts';
import { allRows, getRow } from '../rows.ts';
import { type EventRow, MAX_PAGE_EVENTS, toEvent } from './event-reads.ts';
import { partOf } from './log-parts.ts';

/** An event and, at the end, the hash of the one before it, which may be gone from the log. */
type FrameRow = readonly [...EventRow, prevHash: string | null];

/** The events that frames have, found by the frames: among the deltas of a long run they are few. */
export function createFrameReads(db: Database) {
  const selectRun = db.prepare('SELECT no, agent_id FROM runs WHERE id = ?');
  const selectPage = db.prepare(`
    SELECT
      events.seq, id, type, events.at_ms, actor, events.payload, redactions, hash,
      coalesce(
        (SELECT hash FROM events AS before
          WHERE before.part_no = ${partOf('?1', 'frames.seq - 1')} AND before.seq = frames.seq - 1),
        (SELECT floor_hash FROM runs WHERE no = ?1)
      )
    FROM frames CROSS JOIN events 
      ON events.part_no = ${partOf('?1', 'frames.seq')} AND events.seq = frames.seq
    WHERE frames.run_no = ?1 AND frames.seq > ?2 ORDER BY frames.seq LIMIT (?3 + 0)`);
  selectPage.setReturnArrays(true);

  return (runId: RunId, { after, limit }: ReadPage): Event[] => {
    const run = getRow<{ no: number; agent_id: AgentId }>(selectRun, runId);
    if (!run) return [];
    const size = clampLimit(limit, MAX_PAGE_EVENTS);
    return allRows<FrameRow>(selectPage, run.no, after, size).map((row) => {
      const [seq, id, type, atMs, actor, payload, redactions, hash, before] = row;
      const event: EventRow = [seq, id, type, atMs, actor, payload, redactions, hash];
      return toEvent(event, { runId, agentId: run.agent_id, prevHash: before ?? CHAIN_ROOT });
    });
  };
}
