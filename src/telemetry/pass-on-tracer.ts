import { AsyncLocalStorage } from 'node:async_hooks';
import { noTracer, type Tracer } from '../core/telemetry.ts';
import { parseTraceContext, type TraceContext } from '../core/trace-context.ts';

/**
 * Makes no spans of its own, and still hands a caller's trace on to the services that its work calls. Costs nothing until
 * the first caller sends a trace: only then does Node follow contexts through asynchronous calls.
 */
export function createPassOnTracer(): Tracer {
  const contexts = new AsyncLocalStorage<TraceContext>();
  return {
    span: noTracer.span,

    continueTrace(caller, work) {
      const context = parseTraceContext(caller);
      return context === undefined ? work() : contexts.run(context, work);
    },

    current: () => contexts.getStore(),
  };
}
