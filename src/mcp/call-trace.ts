import { AsyncLocalStorage } from 'node:async_hooks';
import { newTraceparent, type TraceContext, toTraceHeaders } from '../core/trace-context.ts';

type Trace = Pick<TraceContext, 'traceparent' | 'tracestate'>;

/** A connection is shared by calls, and its requests are made deep inside the SDK: what they belong to travels beside it. */
const traces = new AsyncLocalStorage<Trace>();

/** What `work` asks of a server over HTTP belongs to this trace. */
export function withCallTrace<T>(trace: Trace, work: () => Promise<T>): Promise<T> {
  return trace.traceparent === undefined ? work() : traces.run(trace, work);
}

/** Of a request that is made now; what no call asked for, as a handshake, is a trace of its own. */
export function currentTraceHeaders(): Readonly<Record<string, string>> {
  return toTraceHeaders(traces.getStore() ?? { traceparent: newTraceparent() });
}
