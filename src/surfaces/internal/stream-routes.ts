import type { FastifyRequest } from 'fastify';
import { RuntimeError } from '../../core/errors.ts';
import type { NewsEvent } from '../../core/events/event.ts';
import { staleCursor } from '../../core/events/stale-cursor.ts';
import { isTerminal, type Run } from '../../core/runs/run.ts';
import type { ServedRuns } from '../../core/runs/runs.ts';
import { SPANS } from '../../core/telemetry.ts';
import type { Threads } from '../../core/threads/threads.ts';
import type { EventStream } from '../http/streams/event-stream.ts';
import { encodePage } from '../http/streams/page-frames.ts';
import type { SurfaceApp, SurfaceKit } from '../http/surface.ts';
import { errorAnswers, SIGNED, SIGNED_ERRORS } from './answers.ts';
import { decodeThreadRef } from './decode-thread-ref.ts';
import { runParams, streamFrame, streamHeaders, streamQuery } from './schema.ts';
import { encodeDone, encodeStreamFrames } from './stream-frames.ts';

export interface StreamRouteDeps {
  readonly threads: Threads;
  readonly runs: Pick<ServedRuns, 'follow' | 'floor'>;
}

const streamRun = {
  summary: 'Stream a run',
  description:
    'Server-sent events: `event: message`, `id` is the `seq` of the run event, `data` is JSON. After `finish` comes ' +
    'a frame with the same id and `data: [DONE]`, then the stream closes. It also closes when nothing happens for ' +
    '`tail_ms`: sign a new request with the last id seen and go on.',
  tags: ['internal'],
  security: SIGNED,
  params: runParams,
  querystring: streamQuery,
  headers: streamHeaders,
  response: {
    200: {
      description: 'The events after the cursor, then what happens next.',
      content: { 'text/event-stream': { schema: streamFrame } },
    },
    ...errorAnswers(...SIGNED_ERRORS, 404, 410),
  },
};

const probeStream = {
  hide: true,
  params: runParams,
  querystring: streamQuery,
  headers: streamHeaders,
};

export function addStreamRoutes(app: SurfaceApp, deps: StreamRouteDeps, kit: SurfaceKit): void {
  const route = '/runs/:run_id/stream';
  const options = { attachValidation: true, exposeHeadRoute: false };

  // Not derived from GET, as elsewhere: that would open a stream that nobody reads.
  app.head(route, { ...options, schema: probeStream }, async (request, reply) => {
    await openPosition(deps, request);
    return reply.type('text/event-stream').send();
  });

  app.get(
    route,
    { ...options, schema: streamRun, config: { span: SPANS.stream } },
    async (request, reply) => {
      const position = await openPosition(deps, request);
      const stream = kit.streams.open(reply);
      try {
        await pump(deps.runs, stream, position);
      } catch (error) {
        if (!stream.signal.aborted) {
          const fields = { request_id: request.id, run_id: position.run.id, err: error };
          kit.logger.error(fields, 'run stream failed');
        }
      } finally {
        stream.close();
      }
      return reply;
    },
  );
}

interface Position {
  readonly run: Run;
  readonly after: number;
  readonly idleMs: number;
}

/** Everything that can be refused is refused here, while an answer with a status can still be sent. */
async function openPosition(deps: StreamRouteDeps, request: FastifyRequest): Promise<Position> {
  const run = await deps.threads.get(decodeThreadRef(request, request.query));
  if (request.validationError) throw request.validationError;
  const { cursor, tail_ms: idleMs } = request.query as { cursor?: number; tail_ms: number };
  const lastEventId = request.headers['last-event-id'] as number | undefined;
  if (cursor !== undefined && lastEventId !== undefined && cursor !== lastEventId) {
    throw new RuntimeError('invalid_input', 'cursor query and Last-Event-ID must match');
  }
  const after = cursor ?? lastEventId ?? run.lastSeq;
  // Of an open run everything is kept.
  const floor = isTerminal(run.status) ? await deps.runs.floor(run.id) : 0;
  if (after < floor) throw staleCursor(run.id, after, floor);
  return { run, after, idleMs };
}

async function pump(
  runs: StreamRouteDeps['runs'],
  stream: EventStream,
  { run, after, idleMs }: Position,
): Promise<void> {
  // Whoever lost the connection between the last event and its end mark comes back for the mark.
  if (isTerminal(run.status) && after >= run.lastSeq) return stream.send([encodeDone(run.lastSeq)]);
  const deliver = (page: readonly NewsEvent[]) => stream.send(encodePage(page, encodeStreamFrames));
  await runs.follow({ runId: run.id, after, idleMs, signal: stream.signal, deliver });
}
