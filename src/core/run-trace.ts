import { sha256 } from './sha256.ts';
import { newTraceparent, type TraceContext } from './trace-context.ts';

/** The trace that a run is when nobody else's reaches it: the same in every process that takes the run up. */
export function traceIdOf(runId: string): string {
  return sha256(`trace:${runId}`).slice(0, 32);
}

/** Where work for a run is in its trace. Services continue it whether anybody traces here or not. */
export function traceOf(
  tracer: { readonly current?: () => TraceContext | undefined } | undefined,
  runId: string,
): TraceContext & { readonly traceparent: string } {
  const { traceparent, ...current } = tracer?.current?.() ?? {};
  return { ...current, traceparent: traceparent ?? newTraceparent(traceIdOf(runId)) };
}
