import type { Event } from '../events/event.ts';
import { isTerminalEvent } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import { decodeFrame, isEnding, messageTextOf } from '../threads/frame.ts';
import { errorOf, numberOf, type Recording } from './recording.ts';
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
function findConsequence(recording: Recording, event: Event): number {
  const { events } = recording;
  const frame = decodeFrame(event.payload, event.seq);
  const isLast = (index: number) => (index === -1 ? events.length - 1 : index);
  if (frame.kind === 'other') return -1;
  if (isEnding(frame)) return events.length - 1;
  if (frame.kind === 'message' && messageTextOf(frame.payload) !== '') {
    const taken = events.findIndex(
      ({ type, payload }) =>
        type === 'model.requested' && (numberOf(payload['frames_through']) ?? 0) >= event.seq,
    );
    return taken === -1 && isLeftUnread(recording) ? Number.POSITIVE_INFINITY : isLast(taken);
  }
  return isLast(events.findIndex(({ payload }) => payload['frame_seq'] === event.seq));
}

/**
 * Whether a message that no turn took in was not known at the end either. A run that ends with its answer looks for
 * messages before it ends for good, and at its limits it does not; only one that failed on the way to a turn for the
 * message knew of it. Runs that are driven by frames know of all of them.
 */
function isLeftUnread({ events, run }: Recording): boolean {
  if (run.thread !== undefined || events[0]?.payload['prompt'] !== undefined) return false;
  const end = events.at(-1);
  const isFault =
    end?.payload['stop_reason'] === 'failed' || (end && errorOf(end).code === 'budget_exceeded');
  return !isFault;
}
