import { createTraceState, type SpanContext } from '@opentelemetry/api';
import type { TraceContext } from '../core/trace-context.ts';

/** The span that a parsed context names; undefined when it names none. */
export function toSpanContext({ traceparent, tracestate }: TraceContext): SpanContext | undefined {
  const [, traceId, spanId, flags] = traceparent?.split('-') ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags ?? '0', 16) & 1,
    isRemote: true,
    ...(tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }),
  };
}

export function encodeSpanContext(
  span: SpanContext,
): Pick<TraceContext, 'traceparent' | 'tracestate'> {
  const { traceId, spanId, traceFlags, traceState } = span;
  const flags = (traceFlags & 1).toString(16).padStart(2, '0');
  const tracestate = traceState?.serialize() ?? '';
  return {
    traceparent: `00-${traceId}-${spanId}-${flags}`,
    ...(tracestate === '' ? {} : { tracestate }),
  };
}
