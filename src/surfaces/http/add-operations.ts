import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AnyOperation, Reply } from '../../operations/operation.ts';
import { addFileOperation } from './add-file-operation.ts';
import { checkRequest } from './check-request.ts';
import { describeRoute, lowestStatus, toUrl } from './openapi/route-schema.ts';
import { rememberWire } from './remember-wire.ts';
import type { SurfaceApp } from './surface.ts';

/** The routes of operations: decoded by what they declare, answered by their core call. */
export async function addOperations<Deps>(
  app: SurfaceApp,
  operations: readonly AnyOperation<Deps>[],
  deps: Deps,
): Promise<void> {
  for (const operation of operations) await addOperation(app, operation, () => deps);
}

/** For one whose parts of the core are not the same for every request. */
export async function addOperation<Deps>(
  app: SurfaceApp,
  operation: AnyOperation<Deps>,
  toDeps: (request: FastifyRequest, reply: FastifyReply) => Deps,
): Promise<void> {
  if (operation.files !== undefined) return addFileOperation(app, operation, toDeps);
  const wireOf = rememberWire(app, operation);
  app.route({
    method: operation.method,
    url: toUrl(app, operation.path),
    ...(await describeRoute(app, operation)),
    async handler(request, reply) {
      const wire = await wireOf();
      // Checked by the very schemas that the call's own types are made of.
      const input = checkRequest(wire, request) as never;
      const outcome = await operation.run(toDeps(request, reply), input);
      if (!(outcome instanceof Reply)) return reply.code(lowestStatus(wire)).send(outcome);
      return reply.code(outcome.status).headers(outcome.headers).send(outcome.body);
    },
  });
}
