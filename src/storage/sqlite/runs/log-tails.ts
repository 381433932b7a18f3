import { isTerminalEvent, type NewsEvent, type SealedDraft } from '../../../core/events/event.ts';
import type { AgentId, RunId } from '../../../core/ids.ts';
import { RecentEvent } from './recent-event.ts';

/** The end of one run's log. */
export interface LogTail {
  readonly runId: RunId;
  readonly agentId: AgentId;
  /** Each goes on where the one before it ends; the last one ends where the log does. */
  readonly chunks: readonly { readonly events: readonly NewsEvent[] }[];
  /** Events up to this one are in the database alone. */
  readonly floorSeq: number;
  readonly lastSeq: number;
  readonly hasEnded: boolean;
}

/** Of many runs, within bounds: what was added first goes first. */
export interface LogTails {
  find(runId: RunId): LogTail | undefined;
  /** From after an event on; what was known of the run is forgotten. */
  begin(run: Pick<LogTail, 'runId' | 'agentId' | 'floorSeq'>): void;
  add(runId: RunId, drafts: readonly SealedDraft[], atMs: number): void;
  drop(runId: RunId): void;
  clear(): void;
}

/** The events of one commit. */
interface Chunk {
  readonly tail: GrowingTail;
  readonly events: readonly NewsEvent[];
  readonly bytes: number;
}

interface GrowingTail extends LogTail {
  readonly chunks: Chunk[];
  floorSeq: number;
  lastSeq: number;
  hasEnded: boolean;
}

export interface TailBounds {
  readonly maxBytes: number;
  readonly maxRuns: number;
}

/**
 * How much stays when there is too much. The way to the oldest in a Map or Set leads past all that were deleted before it:
 * one at a time, that took a twelfth of accepting a run.
 */
const STAYING = 7 / 8;

/** Of an event, beside its texts. */
const EVENT_BYTES = 256;

export function createLogTails({ maxBytes, maxRuns }: TailBounds): LogTails {
  const tails = new Map<RunId, GrowingTail>();
  /** In the order they were committed. */
  const chunks = new Set<Chunk>();
  let bytes = 0;

  function removeChunk(chunk: Chunk): void {
    if (chunks.delete(chunk)) bytes -= chunk.bytes;
  }

  function drop(runId: RunId): void {
    tails.get(runId)?.chunks.forEach(removeChunk);
    tails.delete(runId);
  }

  function dropOldest(): void {
    for (const runId of tails.keys()) {
      if (tails.size <= maxRuns * STAYING) return;
      drop(runId);
    }
  }

  /** The oldest chunk of all is the oldest of its run: what is left of the run still goes up to its end. */
  function evict(): void {
    if (bytes <= maxBytes) return;
    for (const chunk of chunks) {
      if (bytes <= maxBytes * STAYING) return;
      const { tail, events } = chunk;
      removeChunk(chunk);
      tail.chunks.shift();
      tail.floorSeq += events.length;
      if (tail.hasEnded && tail.chunks.length === 0) tails.delete(tail.runId);
    }
  }

  return {
    find: (runId) => tails.get(runId),

    begin(run) {
      drop(run.runId);
      const tail = { ...run, chunks: [], lastSeq: run.floorSeq, hasEnded: false };
      tails.set(run.runId, tail);
      if (tails.size > maxRuns) dropOldest();
    },

    add(runId, drafts, atMs) {
      const tail = tails.get(runId);
      if (!tail || drafts.length === 0) return;
      const { agentId, lastSeq } = tail;
      const events = drafts.map(
        (draft, at) => new RecentEvent(draft, { runId, agentId, seq: lastSeq + at + 1, atMs }),
      );
      const chunk = { tail, events, bytes: drafts.reduce((sum, draft) => sum + sizeOf(draft), 0) };
      tail.lastSeq += events.length;
      tail.hasEnded = events.some(isTerminalEvent);
      tail.chunks.push(chunk);
      chunks.add(chunk);
      bytes += chunk.bytes;
      evict();
    },

    drop,

    clear() {
      tails.clear();
      chunks.clear();
      bytes = 0;
    },
  };
}

/** Two bytes for each character, as they are held at worst. */
function sizeOf({ payload, redactions }: SealedDraft): number {
  return EVENT_BYTES + 2 * (payload.length + redactions.length);
}
