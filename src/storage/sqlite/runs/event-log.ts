import type { EventLog } from '../../../core/events/event-log.ts';
import type { PortDeps } from '../port-deps.ts';
import { createAnchorReads } from './anchor-reads.ts';
import { createEventReads } from './event-reads.ts';
import { createFrameReads } from './frame-reads.ts';

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
