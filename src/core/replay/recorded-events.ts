import type { Event } from '../events/event.ts';
import { isTerminalEvent } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import { decodeFrame, isEnding, messageTextOf } from '../threads/frame.ts';
import { numberOf, type Recording } from './recording.ts';
import type { Tape } from './tape.ts';

/** The log as it was at each moment of the run. */
export function createRecordedEvents(tape: Tape): Pick<EventLog, 'read' | 'readFrames'> {
  const { events } = tape.recording;
  return {
    async read(_runId, { after, limit }) {
      const page = events.slice(0, tape.shown).filter(({ seq }) => seq > after);
      return page.slice(0, limit);
    },

    async readFrames(_runId, { after, limit }) {
      const seen = findDecision(tape);
      const frames: Event[] = [];
      for (const [index, event] of events.entries()) {
        if (index >= seen || frames.length === limit) break;
        if (event.type !== 'frame.accepted' || event.seq <= after) continue;
        if (findConsequence(tape.recording, event) > seen) break;
        frames.push(event);
      }
      return frames;
    },
  };
}

/** The index of what the frames read now lead to: the next question to the model, or the end. */
function findDecision({ recording, stretch, nextIndex }: Tape): number {
  const { events } = recording;
  const from = nextIndex() ?? events.length;
  const index = stretch.made.find((at) => {
    const event = events[at];
    return at >= from && event && (event.type === 'model.requested' || isTerminalEvent(event));
  });
  return index ?? events.length;
}

/**
 * The index of what first came of a frame: one that came in the middle of a turn was not known to it, though it stands
 * before it in the log. -1 for what nothing comes of.
 */
function findConsequence({ events }: Recording, event: Event): number {
  const frame = decodeFrame(event.payload, event.seq);
  const isLast = (index: number) => (index === -1 ? events.length - 1 : index);
  if (frame.kind === 'other') return -1;
  if (isEnding(frame)) return events.length - 1;
  if (frame.kind === 'message' && messageTextOf(frame.payload) !== '') {
    return isLast(
      events.findIndex(
        ({ type, payload }) =>
          type === 'model.requested' && (numberOf(payload['frames_through']) ?? 0) >= event.seq,
      ),
    );
  }
  return isLast(events.findIndex(({ payload }) => payload['frame_seq'] === event.seq));
}
