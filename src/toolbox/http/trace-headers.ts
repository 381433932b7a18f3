import type { ToolContext } from '../../core/tools/tool.ts';

type Trace = Pick<ToolContext, 'traceparent' | 'tracestate' | 'callerRequestId'>;

/** What a service needs to continue the trace that a call is made in. */
export function toTraceHeaders(trace: Trace): Readonly<Record<string, string>> {
  const { traceparent, tracestate, callerRequestId } = trace;
  return {
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(tracestate === undefined ? {} : { tracestate }),
    ...(callerRequestId === undefined ? {} : { 'x-request-id': callerRequestId }),
  };
}
