import type { Clock } from '../../../core/clock.ts';
import { RuntimeError } from '../../../core/errors.ts';
import { type Event, isTerminalEvent } from '../../../core/events/event.ts';
import type { TailRequest } from '../../../core/events/follow-run.ts';
import type { ServerAddress } from '../context.ts';
import { decodeEvent } from './decode-run.ts';
import { createHttpClient } from './http-client.ts';
import { parseEventStream, type StreamFrame } from './parse-event-stream.ts';
import type { ServerLink } from './server-link.ts';

export interface TailRemoteDeps {
  readonly link: ServerLink;
  readonly clock: Clock;
}

/** The longest tail that `/v1` grants. */
const MAX_TAIL_MS = 300_000;

/** `tailRun` over HTTP: a connection that breaks is taken up again after the last event seen. */
export async function* tailRemoteRun(
  { link, clock }: TailRemoteDeps,
  request: TailRequest,
): AsyncGenerator<Event[]> {
  const { signal } = request;
  const idleMs = Math.min(request.idleMs, MAX_TAIL_MS);
  let cursor = request.after;
  for (let losses = 0; !signal.aborted; losses += 1) {
    let quietSinceMs = clock.nowMs();
    let loss: unknown = new RuntimeError('shutting_down', 'the server closed the stream');
    try {
      for await (const frames of openFrames(link.address, request, { cursor, idleMs })) {
        losses = 0;
        const { events, isOver } = decodeFrames(frames, cursor);
        if (events.length > 0) yield events;
        if (isOver) return;
        cursor = events.at(-1)?.seq ?? cursor;
        quietSinceMs = clock.nowMs();
      }
      // The server closes a stream that was quiet for as long as it was asked to wait.
      if (clock.nowMs() - quietSinceMs >= idleMs - TIMER_SLACK_MS) return;
    } catch (thrown) {
      if (signal.aborted) return;
      loss = thrown;
    }
    await link.recover(loss, losses, signal);
  }
}

/** Timers of two processes never agree to the millisecond. */
const TIMER_SLACK_MS = 250;

async function* openFrames(
  server: ServerAddress,
  { runId, signal }: TailRequest,
  position: { readonly cursor: number; readonly idleMs: number },
): AsyncGenerator<StreamFrame[]> {
  const bytes = await createHttpClient(server).open({
    method: 'GET',
    path: `/v1/runs/${encodeURIComponent(runId)}/events?tail_ms=${position.idleMs}`,
    headers: { accept: 'text/event-stream', 'last-event-id': String(position.cursor) },
    signal,
  });
  yield* parseEventStream(bytes);
}

function decodeFrames(
  frames: readonly StreamFrame[],
  cursor: number,
): { readonly events: Event[]; readonly isOver: boolean } {
  const events: Event[] = [];
  for (const { event, data } of frames) {
    if (event === 'done') return { events, isOver: true };
    const decoded = decodeEvent(JSON.parse(data));
    if (decoded === undefined || decoded.seq <= cursor) continue;
    events.push(decoded);
    if (isTerminalEvent(decoded)) return { events, isOver: true };
  }
  return { events, isOver: false };
}
