import { isTerminalEvent, type NewsEvent } from '../../core/events/event.ts';
import type { ServedRuns } from '../../core/runs/runs.ts';
import { encodeEventText } from '../../operations/runs/run-codec.ts';
import {
  type EventPosition,
  findPosition,
  isAtEnd,
  streamEvents,
} from '../../operations/runs/run-events.ts';
import { addStream } from '../http/streams/add-stream.ts';
import type { EventStream } from '../http/streams/event-stream.ts';
import { encodePage } from '../http/streams/page-frames.ts';
import { encodeSseFrame } from '../http/streams/sse-frame.ts';
import type { SurfaceApp, SurfaceKit } from '../http/surface.ts';

/** Frames are encoded once for all readers of a run. */
export async function addEventRoutes(
  app: SurfaceApp,
  runs: ServedRuns,
  kit: SurfaceKit,
): Promise<void> {
  await addStream(app, kit, {
    operation: streamEvents,
    start: (input) => findPosition(runs, input),
    pump: (position, stream) => pump(runs, stream, position),
  });
}

async function pump(runs: ServedRuns, stream: EventStream, position: EventPosition): Promise<void> {
  const { runId, after, idleMs, endSeq } = position;
  if (endSeq !== undefined && isAtEnd(position)) return stream.send([doneFrame(endSeq)]);
  const deliver = (page: readonly NewsEvent[]) => stream.send(encodePage(page, encodeFrames));
  await runs.follow({ runId, after, idleMs, signal: stream.signal, deliver });
}

function encodeFrames(event: NewsEvent): string {
  const data = encodeEventText(event);
  const frame = encodeSseFrame({ id: event.seq, event: event.type, data });
  return isTerminalEvent(event) ? frame + doneFrame(event.seq) : frame;
}

function doneFrame(seq: number): string {
  return encodeSseFrame({ id: seq, event: 'done', data: '[DONE]' });
}
