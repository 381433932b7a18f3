import type { FastifyInstance } from 'fastify';
import { noTracer, type Tracer } from '../../core/telemetry.ts';

/** A span around every handler of `app`, so that what the core does for a request hangs below it. */
export function traceHandlers(app: FastifyInstance, tracer: Tracer, surface: string): void {
  if (tracer === noTracer) return;
  app.addHook('onRoute', (route) => {
    const handler = route.handler;
    const attributes = {
      'http.request.method': String(route.method),
      'http.route': route.url,
      'pincer.surface': surface,
    };
    route.handler = function traced(request, reply) {
      const name = `${request.method} ${route.url}`;
      return tracer.span(name, { ...attributes, 'pincer.request_id': request.id }, async (span) => {
        const answer = await handler.call(this, request, reply);
        span.set({ 'http.response.status_code': reply.statusCode });
        return answer;
      });
    };
  });
}
