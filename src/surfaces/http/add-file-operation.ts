import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RuntimeError } from '../../core/errors.ts';
import { type AnyOperation, Reply, toBody } from '../../operations/operation.ts';
import { checkRequest } from './check-request.ts';
import { describeRoute, lowestStatus, toUrl } from './openapi/route-schema.ts';
import { rememberWire } from './remember-wire.ts';
import type { SurfaceApp } from './surface.ts';

/** What programs send that do not know better. */
const ANY_BYTES = 'application/octet-stream';

/** The route of an operation whose body or answer is a file: it passes through, and is never held as a whole. */
export async function addFileOperation<Deps>(
  app: SurfaceApp,
  operation: AnyOperation<Deps>,
  toDeps: (request: FastifyRequest, reply: FastifyReply) => Deps,
): Promise<void> {
  const { body: bodyType, answer: answerType } = operation.files ?? {};
  const wireOf = rememberWire(app, operation);
  const described = await describeRoute(app, operation);
  // In a room of its own: no other route takes such bodies.
  await app.register(async (room) => {
    if (bodyType !== undefined) {
      room.removeAllContentTypeParsers();
      room.addContentTypeParser([bodyType, ANY_BYTES], (_request, payload, done) =>
        done(null, payload),
      );
      room.addContentTypeParser('*', (_request, _payload, done) =>
        done(new RuntimeError('unsupported_media_type', `content-type must be ${bodyType}`)),
      );
    }
    room.route({
      method: operation.method,
      url: toUrl(app, operation.path),
      ...described,
      async handler(request, reply) {
        if (bodyType !== undefined && request.body === undefined) {
          throw new RuntimeError('invalid_input', `the body must be a file of type ${bodyType}`);
        }
        const wire = await wireOf();
        // Checked by the very schemas that the call's own types are made of.
        const input = checkRequest(wire, request) as never;
        const outcome = await operation.run(toDeps(request, reply), input);
        reply.code(lowestStatus(wire));
        if (answerType === undefined) return reply.send(outcome);
        if (outcome instanceof Reply) reply.headers(outcome.headers);
        const bytes = toBody(outcome) as AsyncIterable<Uint8Array>;
        return reply.type(answerType).send(Readable.from(bytes, { objectMode: false }));
      },
    });
  });
}
