import type { FastifyRequest } from 'fastify';
import { RuntimeError } from '../../core/errors.ts';
import { SPANS } from '../../core/telemetry.ts';
import type { TailWorkerRequest } from '../../core/workers/tail-worker.ts';
import type { WorkerEvent } from '../../core/workers/worker.ts';
import type { Workers } from '../../core/workers/workers.ts';
import type { SurfaceApp, SurfaceKit } from '../http/surface.ts';
import { assertValidFor, decodeWorkerRef } from './decode-worker-ref.ts';
import { encodeWorkerFrame } from './worker-codec.ts';
import { WORKER_ROUTES } from './worker-documents.ts';

export function addWorkerStream(app: SurfaceApp, workers: Workers, kit: SurfaceKit): void {
  const route = '/codex/workers/:worker_id/stream';
  const options = { attachValidation: true, exposeHeadRoute: false };

  // Not derived from GET, as elsewhere: that would open a stream that nobody reads.
  app.head(route, { ...options, schema: WORKER_ROUTES.probe }, async (request, reply) => {
    await openPosition(workers, request);
    return reply.type('text/event-stream').send();
  });

  app.get(
    route,
    { ...options, schema: WORKER_ROUTES.stream, config: { span: SPANS.stream } },
    async (request, reply) => {
      const position = await openPosition(workers, request);
      const stream = kit.streams.open(reply);
      try {
        for await (const page of workers.tail({ ...position, signal: stream.signal })) {
          await stream.send(framesOf(page));
        }
      } catch (error) {
        // The status line is long gone; an early end makes the reader come back and hear of it then.
        if (!stream.signal.aborted) {
          const fields = { request_id: request.id, worker_id: position.workerId, err: error };
          kit.logger.error(fields, 'worker stream failed');
        }
      } finally {
        stream.close();
      }
      return reply;
    },
  );
}

/** Everything that can be refused is refused here, while an answer with a status can still be sent. */
async function openPosition(
  workers: Workers,
  request: FastifyRequest,
): Promise<Omit<TailWorkerRequest, 'signal'>> {
  const ref = decodeWorkerRef(request);
  await assertValidFor(request, workers, ref);
  const { cursor, tail_ms: idleMs } = request.query as { cursor?: number; tail_ms: number };
  const lastEventId = request.headers['last-event-id'] as number | undefined;
  if (cursor !== undefined && lastEventId !== undefined && cursor !== lastEventId) {
    await workers.get(ref);
    throw new RuntimeError('invalid_input', 'cursor query and Last-Event-ID must match');
  }
  const after = await workers.locate(ref, cursor ?? lastEventId);
  return { workerId: ref.id, after, idleMs };
}

function* framesOf(page: readonly WorkerEvent[]): Generator<string> {
  for (const event of page) yield encodeWorkerFrame(event);
}
