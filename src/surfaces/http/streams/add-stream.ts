import type { FastifyRequest } from 'fastify';
import type { Declaration, InputOf, StreamOperation, Wire } from '../../../operations/operation.ts';
import { checkRequest } from '../check-request.ts';
import { describeRoute, toUrl } from '../openapi/route-schema.ts';
import { rememberWire } from '../remember-wire.ts';
import type { SurfaceApp, SurfaceKit } from '../surface.ts';
import type { EventStream } from './event-stream.ts';

export interface ServedStream<W extends Wire, Start> {
  readonly operation: Pick<StreamOperation<never, W>, keyof Declaration | 'wire'>;
  /** Before anything is sent: what it throws is the answer. */
  start(input: InputOf<W>): Promise<Start>;
  /** Sends until there is no more to send, or the stream's signal aborts. */
  pump(start: Start, stream: EventStream): Promise<void>;
}

/** The routes of an operation that streams. */
export async function addStream<W extends Wire, Start>(
  app: SurfaceApp,
  kit: SurfaceKit,
  { operation, start, pump }: ServedStream<W, Start>,
): Promise<void> {
  const url = toUrl(app, operation.path);
  const wireOf = rememberWire(app, operation);
  const described = await describeRoute(app, operation);
  const check = async (request: FastifyRequest) =>
    // Checked by the very schemas that its types are made of.
    checkRequest(await wireOf(), request) as unknown as InputOf<W>;

  // Not derived from GET, as elsewhere: that would open a stream that nobody reads.
  app.route({
    method: 'HEAD',
    url,
    schema: { hide: true },
    async handler(request, reply) {
      await start(await check(request));
      return reply.type('text/event-stream').send();
    },
  });

  app.route({
    method: 'GET',
    url,
    ...described,
    exposeHeadRoute: false,
    async handler(request, reply) {
      const started = await start(await check(request));
      const stream = kit.streams.open(reply);
      try {
        await pump(started, stream);
      } catch (error) {
        // The status line is long gone; an early end makes the reader come back and hear of it then.
        if (!stream.signal.aborted) {
          const about = request.params as Readonly<Record<string, string>>;
          kit.logger.error({ request_id: request.id, ...about, err: error }, 'event stream failed');
        }
      } finally {
        stream.close();
      }
      return reply;
    },
  });
}
