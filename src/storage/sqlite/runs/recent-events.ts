import { clampLimit } from '../../../core/clamp-limit.ts';
import type { NewsEvent } from '../../../core/events/event.ts';
import type { ReadPage } from '../../../core/events/event-log.ts';
import type { RunId } from '../../../core/ids.ts';
import type { CommittedBatch } from '../writer.ts';
import { MAX_PAGE_EVENTS } from './event-reads.ts';
import { createLogTails } from './log-tails.ts';
import { toWritten, type Written } from './written-events.ts';

/** The end of the logs that this process writes, kept from their commits: those who follow read it without the database. */
export interface RecentEvents {
  /** What was committed, in the order it was committed. */
  learn(batch: CommittedBatch): void;
  /** What the log would read as; undefined when only the database can tell. */
  read(runId: RunId, page: ReadPage): NewsEvent[] | undefined;
  /** Whether it is known to exist and not to have ended. */
  isOpen(runId: RunId): boolean;
  /** Somebody else has written. */
  clear(): void;
}

/** Readers come for what was written a moment ago; what is older costs them a look into the database. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Some hundred bytes each, without their events. */
const MAX_RUNS = 10_000;

export function createRecentEvents(maxBytes = MAX_BYTES): RecentEvents {
  const tails = createLogTails({ maxBytes, maxRuns: MAX_RUNS });

  function extend({ runId, agentId, drafts, lastSeq }: Written, atMs: number): void {
    const floorSeq = lastSeq - drafts.length;
    const goesOn = tails.find(runId)?.lastSeq === floorSeq;
    if (!goesOn && agentId !== undefined) tails.begin({ runId, agentId, floorSeq });
    // Something came between, and nobody said what.
    else if (!goesOn) tails.drop(runId);
    tails.add(runId, drafts, atMs);
  }

  return {
    learn({ writes, outcomes, touchedRuns, atMs, hasForeignCommit }) {
      if (hasForeignCommit) tails.clear();
      writes.forEach((write, at) => {
        // What it deleted may be what is kept here.
        if (write.op === 'pruneEvents') tails.clear();
        const outcome = outcomes[at];
        const written = outcome?.ok ? toWritten(write, outcome.value) : undefined;
        if (written) extend(written, atMs);
      });
      // A write that does not tell of its events, as a cancellation, has moved the end of the log all the same.
      for (const [runId, lastSeq] of touchedRuns) {
        if (tails.find(runId)?.lastSeq !== lastSeq) tails.drop(runId);
      }
    },

    read(runId, { after, limit }) {
      const tail = tails.find(runId);
      if (!tail || !(after >= tail.floorSeq)) return undefined;
      const page: NewsEvent[] = [];
      const size = clampLimit(limit, MAX_PAGE_EVENTS);
      for (const { events } of tail.chunks) {
        for (const event of events) {
          if (event.seq > after && page.length < size) page.push(event);
        }
      }
      return page;
    },

    isOpen: (runId) => tails.find(runId)?.hasEnded === false,

    clear: tails.clear,
  };
}
