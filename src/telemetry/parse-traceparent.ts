import { isSpanContextValid, type SpanContext } from '@opentelemetry/api';

/** Later versions may append fields; what stands here keeps its place. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** The span that a W3C `traceparent` header names; undefined when it names none. */
export function parseTraceparent(header: string | undefined): SpanContext | undefined {
  const [, version, traceId, spanId, flags] = TRACEPARENT.exec(header ?? '') ?? [];
  if (version === 'ff' || traceId === undefined || spanId === undefined) return undefined;
  const context = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags ?? '0', 16) & 1,
    isRemote: true,
  };
  return isSpanContextValid(context) ? context : undefined;
}

export function encodeTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & 1).toString(16).padStart(2, '0')}`;
}
