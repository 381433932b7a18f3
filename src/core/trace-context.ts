import { defined } from './defined.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** The trace that something belongs to, as W3C headers, and the caller's own id for its request. */
export interface TraceContext {
  readonly traceparent?: string;
  /** What vendors of tracing want to be handed on beside it. */
  readonly tracestate?: string;
  readonly requestId?: string;
}

/** As it is stored with what it caused. */
export function encodeTrace({ traceparent, tracestate, requestId }: TraceContext): JsonObject {
  return {
    ...defined({ traceparent, tracestate, request_id: requestId }),
  };
}

export function decodeTrace(stored: JsonValue | undefined): TraceContext | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { traceparent, tracestate, request_id: requestId } = stored;
  return parseTraceContext({ traceparent, tracestate, requestId });
}

/** Later versions may append fields; what stands here keeps its place. */
const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;
const MAX_TRACEPARENT_CHARS = 128;
/** As much as W3C asks everybody to hand on. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** What of the given is fit to be stored and sent on; undefined when nothing is. A bad `traceparent` takes its state with it. */
export function parseTraceContext(given: {
  readonly traceparent?: unknown;
  readonly tracestate?: unknown;
  readonly requestId?: unknown;
}): TraceContext | undefined {
  const { traceparent, tracestate, requestId } = given;
  const isTraced = isTraceparent(traceparent);
  const hasState = isTraced && isText(tracestate, TRACESTATE);
  const hasId = isText(requestId, REQUEST_ID);
  if (!isTraced && !hasId) return undefined;
  return {
    ...(isTraced ? { traceparent } : {}),
    ...(hasState ? { tracestate } : {}),
    ...(hasId ? { requestId } : {}),
  };
}

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;

export function isTraceId(value: unknown): value is string {
  return isText(value, TRACE_ID);
}

/** A new place in a trace, or in a new one. Nobody records it here, so it asks nobody else to. */
export function newTraceparent(traceId = randomHex(16)): string {
  return `00-${traceId}-${randomHex(8)}-00`;
}

/** As headers of a request, for services that continue traces. */
export function toTraceHeaders(
  trace: Pick<TraceContext, 'traceparent' | 'tracestate'>,
): Readonly<Record<string, string>> {
  const { traceparent, tracestate } = trace;
  return {
    ...defined({ traceparent, tracestate }),
  };
}

function isTraceparent(value: unknown): value is string {
  return isText(value, TRACEPARENT) && value.length <= MAX_TRACEPARENT_CHARS;
}

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value);
}

const POOL_BYTES = 1_024;
let pool = '';

/** Drawn in advance: each turn and each tool call needs some. Browsers have this source of it too. */
function randomHex(bytes: number): string {
  if (pool.length < bytes * 2) {
    const random = crypto.getRandomValues(new Uint8Array(POOL_BYTES));
    pool = Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
  const taken = pool.slice(0, bytes * 2);
  pool = pool.slice(bytes * 2);
  return taken;
}
