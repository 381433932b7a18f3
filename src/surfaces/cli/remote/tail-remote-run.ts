import type { Clock } from '../../../core/clock.ts';
import { RuntimeError } from '../../../core/errors.ts';
import { type Event, isTerminalEvent } from '../../../core/events/event.ts';
import type { TailRequest } from '../../../core/events/tail-run.ts';
import type { ServerAddress } from '../context.ts';
import { decodeEvent } from './decode-run.ts';
import { createHttpClient } from './http-client.ts';
import { parseEventStream, type StreamFrame } from './parse-event-stream.ts';

export interface TailRemoteDeps {
  readonly server: ServerAddress;
  readonly locate: () => Promise<ServerAddress | undefined>;
  readonly clock: Clock;
}

/** Connections in a row that brought nothing before the server is given up: about ten seconds, a restart's length. */
const MAX_FRUITLESS = 8;
const BACKOFF_MS = { initial: 100, max: 2_500 } as const;
/** The longest tail that `/v1` grants. */
const MAX_TAIL_MS = 300_000;

/** `tailRun` over HTTP: a connection that breaks is taken up again after the last event seen. */
export async function* tailRemoteRun(
  deps: TailRemoteDeps,
  request: TailRequest,
): AsyncGenerator<Event[]> {
  const { clock } = deps;
  const { signal } = request;
  const idleMs = Math.min(request.idleMs, MAX_TAIL_MS);
  let cursor = request.after;
  let fruitless = 0;
  let server = deps.server;
  while (!signal.aborted) {
    let quietSinceMs = clock.nowMs();
    try {
      for await (const frames of openFrames(server, request, { cursor, idleMs })) {
        fruitless = 0;
        const { events, isOver } = decodeFrames(frames, cursor);
        if (events.length > 0) yield events;
        if (isOver) return;
        cursor = events.at(-1)?.seq ?? cursor;
        quietSinceMs = clock.nowMs();
      }
      // The server closes a stream that was quiet for as long as it was asked to wait.
      if (clock.nowMs() - quietSinceMs >= idleMs - TIMER_SLACK_MS) return;
    } catch (error) {
      if (signal.aborted) return;
      if (!isConnectionLoss(error) || fruitless >= MAX_FRUITLESS) throw error;
    }
    fruitless += 1;
    await clock.sleep(Math.min(BACKOFF_MS.max, BACKOFF_MS.initial * 2 ** (fruitless - 1)), signal);
    server = (await deps.locate()) ?? server;
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

/** A stream cut in the middle fails with the transport's own error; a server that stops answers 503. */
function isConnectionLoss(error: unknown): boolean {
  if (error instanceof RuntimeError) return error.code === 'shutting_down';
  return error instanceof TypeError || (error instanceof Error && 'code' in error);
}
