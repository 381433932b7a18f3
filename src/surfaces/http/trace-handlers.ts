import type { FastifyInstance } from 'fastify';
import { noTracer, type Span, type Tracer } from '../../core/telemetry.ts';
import type { Surface } from './surface.ts';
import { toRequestError } from './to-request-error.ts';

/** A span around every handler of `app`, so that what the core does for a request hangs below it. */
export function traceHandlers(
  app: FastifyInstance,
  tracer: Tracer,
  surface: Pick<Surface, 'name' | 'encodeError'>,
): void {
  if (tracer === noTracer) return;
  app.addHook('onRoute', (route) => {
    const handler = route.handler;
    const attributes = {
      'http.request.method': String(route.method),
      'http.route': route.url,
      'pincer.surface': surface.name,
    };
    route.handler = function traced(request, reply) {
      const answer = async (span: Span) => {
        try {
          const answered = await handler.call(this, request, reply);
          span.set({ 'http.response.status_code': reply.statusCode });
          return answered;
        } catch (thrown) {
          const { status } = surface.encodeError(toRequestError(thrown));
          span.set({ 'http.response.status_code': status });
          throw thrown;
        }
      };
      // Not of the validated headers, which are those of the route's schema only.
      const caller = request.raw.headers['traceparent'];
      return tracer.continueTrace(typeof caller === 'string' ? caller : undefined, () =>
        tracer.span(
          `${request.method} ${route.url}`,
          { ...attributes, 'pincer.request_id': request.id },
          answer,
        ),
      );
    };
  });
}
