import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { defined } from '../../core/defined.ts';
import { noQuery } from '../../operations/fields.ts';
import {
  type Answer,
  type AnyOperation,
  type Declaration,
  Reply,
  type Wire,
} from '../../operations/operation.ts';
import { BEARER, errorAnswersOf } from './answers.ts';
import { checkRequest } from './check-request.ts';
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

interface Described extends Declaration {
  wire(): Promise<Wire>;
}

/** What is in a document of routes. A server that answers requests checks them itself: see `rememberWire`. */
export async function describeRoute(
  app: SurfaceApp,
  operation: Described,
): Promise<{ readonly schema?: FastifySchema }> {
  if (!app.isDocument) return {};
  return { schema: toRouteSchema(app, operation, await operation.wire()) };
}

function toRouteSchema(
  { errorEnvelope }: SurfaceApp,
  { summary, description, tags, errors }: Declaration,
  wire: Wire,
): FastifySchema {
  const { params, query = noQuery, headers, body, answers } = wire;
  const documented = Object.entries(answers).map(([status, one]) => [status, toContent(one)]);
  return {
    summary,
    description,
    tags: [...tags],
    security: BEARER,
    ...defined({ params }),
    querystring: query,
    ...defined({ headers, body }),
    response: { ...Object.fromEntries(documented), ...errorAnswersOf(errorEnvelope, errors) },
  };
}

function toContent({ description, kind, schema }: Answer) {
  const type = kind === 'json' ? 'application/json' : 'text/event-stream';
  return { description, content: { [type]: { schema } } };
}

function lowestStatus({ answers }: Wire): number {
  return Math.min(...Object.keys(answers).map(Number));
}

/** Operations tell their whole path; a surface is mounted under the beginning of it. */
export function toUrl({ prefix }: SurfaceApp, path: string): string {
  if (path.startsWith(prefix)) return path.slice(prefix.length);
  throw new Error(`${path} is not under ${prefix}`);
}
