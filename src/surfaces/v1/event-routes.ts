import { RuntimeError } from '../../core/errors.ts';
import { type Event, isTerminalEvent } from '../../core/events/event.ts';
import { staleCursor } from '../../core/events/stale-cursor.ts';
import type { RunId } from '../../core/ids.ts';
import { isTerminal, type Run } from '../../core/runs/run.ts';
import type { ServedRuns } from '../../core/runs/runs.ts';
import { BEARER, errorAnswers } from '../http/answers.ts';
import type { EventStream } from '../http/event-stream.ts';
import { encodePage } from '../http/page-frames.ts';
import { encodeEvent } from '../http/run-codec.ts';
import { runEvent } from '../http/run-shapes.ts';
import { encodeSseFrame } from '../http/sse-frame.ts';
import type { SurfaceApp, SurfaceKit } from '../http/surface.ts';
import { eventsHeaders, eventsQuery, runParams } from './schema.ts';

const streamEvents = {
  summary: 'Stream the events of a run',
  description:
    'Server-sent events: `id` is the `seq`, `event` the event type, `data` the event as JSON. After the last ' +
    'event of an ended run comes `event: done` with `data: [DONE]`, then the stream closes. It also closes when ' +
    'nothing happens for `tail_ms`; come back with the last id seen.',
  tags: ['runs'],
  security: BEARER,
  params: runParams,
  querystring: eventsQuery,
  headers: eventsHeaders,
  response: {
    200: {
      description: 'The events after the cursor, then what happens next.',
      content: { 'text/event-stream': { schema: runEvent } },
    },
    ...errorAnswers(400, 401, 403, 404, 410, 429, 500, 503),
  },
};

const probeEvents = {
  hide: true,
  params: runParams,
  querystring: eventsQuery,
  headers: eventsHeaders,
};

export function addEventRoutes(app: SurfaceApp, runs: ServedRuns, kit: SurfaceKit): void {
  const route = '/runs/:run_id/events';

  // Not derived from GET, as elsewhere: that would open a stream that nobody reads.
  app.head(route, { schema: probeEvents }, async (request, reply) => {
    const cursor = decodePosition(request.query.cursor, request.headers['last-event-id']);
    await findStart(runs, await runs.get(request.params.run_id as RunId), cursor);
    return reply.type('text/event-stream').send();
  });

  app.get(route, { schema: streamEvents, exposeHeadRoute: false }, async (request, reply) => {
    const cursor = decodePosition(request.query.cursor, request.headers['last-event-id']);
    const run = await runs.get(request.params.run_id as RunId);
    const after = await findStart(runs, run, cursor);
    const stream = kit.streams.open(reply);
    try {
      await pump(runs, stream, { run, after, idleMs: request.query.tail_ms });
    } catch (error) {
      // The status line is long gone; an early end makes the reader come back and hear of it then.
      if (!stream.signal.aborted) {
        kit.logger.error(
          { request_id: request.id, run_id: run.id, err: error },
          'event stream failed',
        );
      }
    } finally {
      stream.close();
    }
    return reply;
  });
}

/** A reader without a cursor takes what is kept; one with a cursor counts on getting everything after it. */
async function findStart(runs: ServedRuns, run: Run, cursor: number): Promise<number> {
  if (!isTerminal(run.status)) return cursor;
  const floor = await runs.floor(run.id);
  if (cursor === 0) return floor;
  if (cursor < floor) throw staleCursor(run.id, cursor, floor);
  return cursor;
}

interface Position {
  readonly run: Run;
  readonly after: number;
  readonly idleMs: number;
}

async function pump(runs: ServedRuns, stream: EventStream, position: Position): Promise<void> {
  const { run, after, idleMs } = position;
  if (isTerminal(run.status) && after >= run.lastSeq) return stream.send([doneFrame(run.lastSeq)]);
  const deliver = (page: readonly Event[]) => stream.send(encodePage(page, encodeFrames));
  await runs.follow({ runId: run.id, after, idleMs, signal: stream.signal, deliver });
}

function encodeFrames(event: Event): string {
  const data = JSON.stringify(encodeEvent(event));
  const frame = encodeSseFrame({ id: event.seq, event: event.type, data });
  return isTerminalEvent(event) ? frame + doneFrame(event.seq) : frame;
}

function doneFrame(seq: number): string {
  return encodeSseFrame({ id: seq, event: 'done', data: '[DONE]' });
}

function decodePosition(cursor: number | undefined, lastEventId: number | undefined): number {
  if (cursor !== undefined && lastEventId !== undefined && cursor !== lastEventId) {
    throw new RuntimeError('invalid_input', 'cursor and last-event-id differ');
  }
  return cursor ?? lastEventId ?? 0;
}
