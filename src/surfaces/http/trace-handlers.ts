import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  isRecording,
  noTracer,
  type Span,
  type SpanAttributes,
  type SpanName,
  type Tracer,
} from '../../core/telemetry.ts';
import { toRequestError } from './answers/to-request-error.ts';
import { readTrace } from './read-trace.ts';
import type { Surface } from './surface.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The span of the contract that the whole of the handler is. */
    span?: SpanName;
  }
}

type TracedSurface = Pick<Surface, 'name' | 'encodeError'>;

/** Every handler of `app` works in the trace of its caller, and in a span, so that what the core does hangs below it. */
export function traceHandlers(app: FastifyInstance, tracer: Tracer, surface: TracedSurface): void {
  if (tracer === noTracer) return;
  const measures = isRecording(tracer);
  app.addHook('onRoute', (route) => {
    const handler = route.handler;
    const span = createHandlerSpan(tracer, surface, {
      url: route.url,
      name: route.config?.span,
      attributes: {
        'http.request.method': String(route.method),
        'http.route': route.url,
        'pincer.surface': surface.name,
      },
    });
    route.handler = function traced(request, reply) {
      const handle = () => handler.call(this, request, reply);
      const work = measures ? () => span(request, reply, async () => handle()) : handle;
      const caller = readTrace(request);
      return caller === undefined ? work() : tracer.continueTrace(caller, work);
    };
  });
}

interface TracedRoute {
  readonly url: string;
  readonly name: SpanName | undefined;
  readonly attributes: SpanAttributes;
}

type HandlerSpan = (
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<unknown>,
) => Promise<unknown>;

function createHandlerSpan(
  tracer: Tracer,
  surface: TracedSurface,
  route: TracedRoute,
): HandlerSpan {
  const { name } = route;
  return (request, reply, work) => {
    const answer = async (span: Span) => {
      try {
        const answered = await (name === undefined ? work() : tracer.span(name, {}, work));
        span.set({ 'http.response.status_code': reply.statusCode });
        return answered;
      } catch (thrown) {
        const { status } = surface.encodeError(toRequestError(thrown));
        span.set({ 'http.response.status_code': status });
        throw thrown;
      }
    };
    const attributes = { ...route.attributes, 'pincer.request_id': request.id };
    return tracer.span(`${request.method} ${route.url}`, attributes, answer);
  };
}
