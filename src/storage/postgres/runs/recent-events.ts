import type { Actor, Event, EventType } from '../../../core/events/event.ts';
import type { ReadPage } from '../../../core/events/event-log.ts';
import type { RunId } from '../../../core/ids.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { EventRow } from './run-batch.ts';
import { isEnded, type RunRow } from './run-row.ts';
import { createToldRuns } from './told-runs.ts';

/**
 * What another node adds to a run of ours is told by its notification. Should that get lost, nobody is answered from
 * here for longer than this after our own last commit: less than the slow poll, which then finds it in the database.
 */
const MAX_AGE_MS = 2_000;
/** A turn of a run appends some ten; a reader further behind than this is served by the database. */
const MAX_RUN_EVENTS = 256;
const MAX_BYTES = 16 * 1024 * 1024;
/** Rough size of an event without its payload. */
const EVENT_BYTES = 1_024;

/** What a transaction has read of runs under their locks, and what it has added to them. */
interface Committed {
  readonly rows: Iterable<RunRow>;
  readonly events: readonly EventRow[];
  /** As `begin` said before it was sent. */
  readonly begun: number;
}

/**
 * The newest events of the runs that this process writes, so that those who follow a run need not read back what has
 * only just been sent to the database.
 */
export interface RecentEvents {
  /** Before a commit is sent: whether what is told of a run meanwhile came before it or after it, nobody can tell. */
  begin(): number;
  /** After a commit, and before anybody is woken because of it. */
  note(committed: Committed): void;
  /** Others have added to this run, or may have. */
  forget(runId: RunId): void;
  clear(): void;
  /** Undefined when the database has to be asked. Nobody may change what is answered. */
  find(runId: RunId, page: ReadPage): Event[] | undefined;
}

interface Tail {
  /** Without gaps. */
  readonly rows: EventRow[];
  readonly decoded: (Event | undefined)[];
  bytes: number;
  lastSeq: number;
  isWhole: boolean;
  notedAtMs: number;
}

export function createRecentEvents(nowMs: () => number): RecentEvents {
  // The one that was written to longest ago comes first.
  const tails = new Map<RunId, Tail>();
  let bytes = 0;
  const told = createToldRuns();

  function drop(runId: RunId): void {
    const tail = tails.get(runId);
    if (!tail) return;
    bytes -= tail.bytes;
    tails.delete(runId);
  }

  function forget(runId: RunId): void {
    drop(runId);
    told.tell(runId);
  }

  /** The row of a run after a commit that was sent when so much had been told. */
  function settle(row: RunRow, begun: number): void {
    const isInDoubt = told.isToldSince(row.id, begun);
    told.tell(row.id);
    const tail = tails.get(row.id);
    // Somebody else has added to it meanwhile, or may have.
    if (isInDoubt || tail?.lastSeq !== row.lastSeq) drop(row.id);
    else tail.isWhole = isEnded(row);
  }

  function add(event: EventRow): void {
    let tail = tails.get(event.runId);
    if (tail && (tail.lastSeq + 1 !== event.seq || tail.rows.length >= MAX_RUN_EVENTS)) {
      drop(event.runId);
      tail = undefined;
    }
    tail ??= { rows: [], decoded: [], bytes: 0, lastSeq: 0, isWhole: false, notedAtMs: 0 };
    const size = event.payload.length + EVENT_BYTES;
    tail.rows.push(event);
    tail.bytes += size;
    tail.lastSeq = event.seq;
    tail.notedAtMs = nowMs();
    bytes += size;
    tails.delete(event.runId);
    tails.set(event.runId, tail);
  }

  function dropOldest(): void {
    const keptFromMs = nowMs() - MAX_AGE_MS;
    for (const [runId, { notedAtMs }] of tails) {
      if (notedAtMs >= keptFromMs && bytes <= MAX_BYTES) return;
      drop(runId);
    }
  }

  return {
    begin: told.now,

    note({ rows, events, begun }) {
      for (const event of events) add(event);
      for (const row of rows) settle(row, begun);
      dropOldest();
    },

    forget,

    clear() {
      tails.clear();
      bytes = 0;
      told.tellAll();
    },

    find(runId, { after, limit }) {
      const tail = tails.get(runId);
      const first = tail?.rows[0];
      if (!tail || !first || after + 1 < first.seq || after > tail.lastSeq) return undefined;
      if (!tail.isWhole && tail.notedAtMs < nowMs() - MAX_AGE_MS) return undefined;
      const from = after + 1 - first.seq;
      const count = Math.min(limit, tail.rows.length - from);
      return Array.from({ length: count }, (_, index) => decode(tail, from + index));
    },
  };
}

/** Once for all who follow the run. */
function decode({ rows, decoded }: Tail, index: number): Event {
  const known = decoded[index];
  if (known) return known;
  const row = rows[index] as EventRow;
  const event: Event = {
    id: row.id,
    runId: row.runId,
    agentId: row.agentId,
    seq: row.seq,
    type: row.type as EventType,
    atMs: row.atMs,
    actor: row.actor as Actor,
    payload: JSON.parse(row.payload) as JsonObject,
    redactions: JSON.parse(row.redactions) as string[],
    prevHash: row.prevHash,
    hash: row.hash,
  };
  decoded[index] = event;
  return event;
}
