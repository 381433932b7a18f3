import { sha256 } from './sha256.ts';
import { newTraceparent, type TraceContext } from './trace-context.ts';

/** The trace that a run is when nobody else's reaches it: the same in every process that takes the run up. */
export function traceIdOf(runId: string): string {
  return sha256(`trace:${runId}`).slice(0, 32);
}

/**
 * Where work for a run is in its trace. Services continue it whether anybody traces here or not. Most work asks no service,
 * so that a trace of its own is made for a run when somebody looks.
 */
export function traceOf(
  tracer: { readonly current?: () => TraceContext | undefined } | undefined,
  runId: string,
): TraceContext & { readonly traceparent: string } {
  const { traceparent: given, ...current } = tracer?.current?.() ?? {};
  let own: string | undefined;
  return {
    ...current,
    get traceparent() {
      own ??= given ?? newTraceparent(traceIdOf(runId));
      return own;
    },
  };
}
