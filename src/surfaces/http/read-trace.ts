import type { FastifyRequest } from 'fastify';
import { parseTraceContext, type TraceContext } from '../../core/trace-context.ts';

/** The trace that a request says it belongs to, and its id when the caller gave it one; undefined when it says neither. */
export function readTrace(request: FastifyRequest): TraceContext | undefined {
  // Not of the validated headers, which are those of the route's schema only.
  const { traceparent, tracestate, 'x-request-id': requestId } = request.raw.headers;
  if (traceparent === undefined && requestId === undefined) return undefined;
  return parseTraceContext({ traceparent, tracestate, requestId });
}
