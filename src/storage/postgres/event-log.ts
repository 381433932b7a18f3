import type { Actor, Event, EventType } from '../../core/events/event.ts';
import type { EventLog } from '../../core/events/event-log.ts';
import type { AgentId, EventId, RunId } from '../../core/ids.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Database } from './database.ts';
import { clampLimit, MAX_PAGE_EVENTS } from './statement.ts';
import { isStorableId } from './text-codec.ts';

interface StoredEvent {
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

export function createEventLog(database: Database): EventLog {
  return {
    read: async (runId, { after, limit }) => {
      if (!isStorableId(runId)) return [];
      const values = [runId, after, clampLimit(limit, MAX_PAGE_EVENTS)];
      const stored = await database.read<StoredEvent>({ name: 'read_events', text: READ, values });
      return stored.map(decodeEvent);
    },
  };
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
