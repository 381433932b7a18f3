import { clampLimit } from '../../../core/clamp-limit.ts';
import type { Actor, Event, EventType } from '../../../core/events/event.ts';
import type { EventLog } from '../../../core/events/event-log.ts';
import { CHAIN_ROOT, CHAIN_START, type ChainPosition } from '../../../core/events/hash-chain.ts';
import { staleCursor } from '../../../core/events/stale-cursor.ts';
import { unreadableEvent } from '../../../core/events/unreadable-event.ts';
import type { AgentId, EventId, RunId } from '../../../core/ids.ts';
import type { JsonObject } from '../../../core/json.ts';
import { isStorableId } from '../../tables/column.ts';
import type { Database } from '../database.ts';
import { MAX_PAGE_EVENTS } from '../statement.ts';
import type { RecentEvents } from './recent-events.ts';

export interface StoredEvent {
  readonly run_id: string;
  readonly agent_id: string;
  readonly seq: number;
  readonly id: string;
  readonly type: string;
  readonly at_ms: number;
  readonly actor: string;
  readonly payload: string;
  readonly redactions: string;
  readonly prev_hash: string;
  readonly hash: string;
}

const READ = `
  select e.run_id, r.agent_id, e.seq, e.id, e.type, e.at_ms, e.actor, e.payload, e.redactions, e.prev_hash, e.hash
  from events e join runs r on r.id = e.run_id
  where e.run_id = $1 and e.seq > $2 order by e.seq limit $3`;

// Found by the frames: among the deltas of a long run they are few.
const READ_FRAMES = `
  select e.run_id, r.agent_id, e.seq, e.id, e.type, e.at_ms, e.actor, e.payload, e.redactions, e.prev_hash, e.hash
  from frames f join events e on e.run_id = f.run_id and e.seq = f.seq join runs r on r.id = f.run_id
  where f.run_id = $1 and f.seq > $2 order by f.seq limit $3`;

export function createEventLog(database: Database, recent?: Pick<RecentEvents, 'find'>): EventLog {
  return {
    read: async (runId, { after, limit, mayBeRecent = false }) => {
      if (!isStorableId(runId)) return [];
      const known = mayBeRecent ? recent?.find(runId, { after, limit }) : undefined;
      if (known) return known;
      const values = [runId, after, clampLimit(limit, MAX_PAGE_EVENTS)];
      const stored = await database.read<StoredEvent>({ name: 'read_events', text: READ, values });
      const first = stored[0]?.seq;
      // The floor is only asked for when the log does not go on right at the cursor.
      if (first !== undefined && first > after + 1) await assertKept(database, runId, after);
      return stored.map(readEvent);
    },

    readFrames: async (runId, { after, limit }) => {
      if (!isStorableId(runId)) return [];
      const values = [runId, after, clampLimit(limit, MAX_PAGE_EVENTS)];
      const statement = { name: 'read_frames', text: READ_FRAMES, values };
      return (await database.read<StoredEvent>(statement)).map(readEvent);
    },

    floor: async (runId) => (await readAnchor(database, runId)).seq,
    anchor: (runId) => readAnchor(database, runId),
  };
}

const ANCHOR = 'select floor_seq as seq, floor_hash as hash from runs where id = $1';

/** Where what is kept of a run's log begins. */
async function readAnchor(database: Database, runId: RunId): Promise<ChainPosition> {
  if (!isStorableId(runId)) return CHAIN_START;
  const statement = { name: 'read_anchor', text: ANCHOR, values: [runId] };
  const [row] = await database.read<{ seq: number; hash: string | null }>(statement);
  return row ? { seq: row.seq, hash: row.hash ?? CHAIN_ROOT } : CHAIN_START;
}

async function assertKept(database: Database, runId: RunId, cursor: number): Promise<void> {
  const { seq: floor } = await readAnchor(database, runId);
  if (floor > 0 && cursor < floor) throw staleCursor(runId, cursor, floor);
}

/** Throws an error that names run and event when its row is damaged. */
export function readEvent(stored: StoredEvent): Event {
  try {
    return decodeEvent(stored);
  } catch (cause) {
    throw unreadableEvent(stored.run_id as RunId, stored.seq, cause);
  }
}

function decodeEvent(stored: StoredEvent): Event {
  return {
    id: stored.id as EventId,
    runId: stored.run_id as RunId,
    agentId: stored.agent_id as AgentId,
    seq: stored.seq,
    type: stored.type as EventType,
    atMs: stored.at_ms,
    actor: stored.actor as Actor,
    payload: JSON.parse(stored.payload) as JsonObject,
    redactions: JSON.parse(stored.redactions) as string[],
    prevHash: stored.prev_hash,
    hash: stored.hash,
  };
}
