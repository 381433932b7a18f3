import type { EventLog, EventNews } from '../../../core/events/event-log.ts';
import type { PortDeps } from '../port-deps.ts';
import { createAnchorReads } from './anchor-reads.ts';
import { createEventReads } from './event-reads.ts';
import { createFrameReads } from './frame-reads.ts';

/** The log, and what readers who follow it are served from: what this process wrote last, with the log behind it. */
export function createEventLogs(deps: PortDeps): { events: EventLog; news: EventNews } {
  const { db, read, recent } = deps;
  const stored = createEventReads(db);
  return {
    events: createEventLog(deps),
    news: {
      read: (runId, page) => read(() => recent.read(runId, page) ?? stored(runId, page)),
      isOpen: recent.isOpen,
    },
  };
}

/** Reads on a connection of this thread. */
export function createEventLog({ db, read }: Pick<PortDeps, 'db' | 'read'>): EventLog {
  const events = createEventReads(db);
  const anchors = createAnchorReads(db);
  const frames = createFrameReads(db);
  return {
    read: (runId, page) => read(() => events(runId, page)),
    readFrames: (runId, page) => read(() => frames(runId, page)),
    floor: (runId) => read(() => anchors.ofRun(runId).seq),
    anchor: (runId) => read(() => anchors.ofRun(runId)),
  };
}
