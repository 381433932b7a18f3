import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  createContextKey,
  DiagLogLevel,
  diag,
  isSpanContextValid,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { RuntimeError } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import type { Tracer } from '../core/telemetry.ts';
import { parseTraceContext } from '../core/trace-context.ts';
import { encodeSpanContext, toSpanContext } from './span-context.ts';
import type { TracerHandle, TracerOptions } from './tracer-handle.ts';

/** The one that needs no further packages; collectors take it beside http/protobuf, on the same port. */
const PROTOCOL = 'http/json';
const SHUTDOWN_MS = 3_000;
const COMPLAINT_INTERVAL_MS = 60_000;
const REQUEST_ID = createContextKey('pincer.request_id');

/** Endpoint, headers, sampling and batching come from the standard `OTEL_*` variables, which the SDK reads itself. */
export function openOtlpTracer(options: TracerOptions): TracerHandle {
  reportFaults(options.logger);
  if (options.protocol !== undefined && options.protocol !== PROTOCOL) {
    options.logger.warn(
      { asked: options.protocol, used: PROTOCOL },
      'the OTLP protocol that the environment asks for is not spoken here',
    );
  }
  const provider = new BasicTracerProvider({
    resource: createResource(options),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const otel = provider.getTracer('pincer', options.serviceVersion);
  // Parents travel with the asynchronous call, so that nobody passes them by hand.
  const contexts = new AsyncLocalStorage<Context>();

  const tracer: Tracer = {
    span(name, attributes, work) {
      const parent = contexts.getStore() ?? ROOT_CONTEXT;
      const span = otel.startSpan(name, { attributes: { ...attributes } }, parent);
      return contexts.run(trace.setSpan(parent, span), async () => {
        try {
          return await work({ set: (more) => void span.setAttributes({ ...more }) });
        } catch (thrown) {
          markFailed(span, thrown);
          throw thrown;
        } finally {
          span.end();
        }
      });
    },

    continueTrace(caller, work) {
      const parsed = parseTraceContext(caller);
      if (parsed === undefined) return work();
      const { requestId } = parsed;
      const span = toSpanContext(parsed);
      const base = span
        ? trace.setSpanContext(ROOT_CONTEXT, span)
        : (contexts.getStore() ?? ROOT_CONTEXT);
      return contexts.run(requestId ? base.setValue(REQUEST_ID, requestId) : base, work);
    },

    current() {
      const context = contexts.getStore();
      if (context === undefined) return undefined;
      const span = trace.getSpanContext(context);
      return parseTraceContext({
        ...(span && isSpanContextValid(span) ? encodeSpanContext(span) : {}),
        requestId: context.getValue(REQUEST_ID),
      });
    },
  };
  return { tracer, shutdown: () => shutDown(provider, options) };
}

/** The environment's attributes come last: `OTEL_RESOURCE_ATTRIBUTES` may name the service too. */
function createResource({ serviceName, serviceVersion }: TracerOptions) {
  const own = resourceFromAttributes({
    'service.name': serviceName,
    ...(serviceVersion === undefined ? {} : { 'service.version': serviceVersion }),
  });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}

/** Our messages hold no secrets; those of unknown errors may, so only their kind leaves the process. */
function markFailed(span: OtelSpan, thrown: unknown): void {
  const isOurs = thrown instanceof RuntimeError;
  const type = isOurs ? thrown.code : thrown instanceof Error ? thrown.name : typeof thrown;
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR, ...(isOurs ? { message: thrown.message } : {}) });
}

async function shutDown(provider: BasicTracerProvider, options: TracerOptions): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, options.shutdownMs ?? SHUTDOWN_MS, 'late');
  });
  const ended = provider.shutdown().then(
    () => 'sent',
    () => 'failed',
  );
  const result = await Promise.race([ended, timeout]);
  clearTimeout(timer);
  if (result !== 'sent')
    options.logger.warn({ result }, 'the last traces may not have reached the collector');
}

/** A collector that is down must not fill the log: one complaint a minute says it. */
function reportFaults(logger: Logger): void {
  let quietUntilMs = 0;
  const complain = (message: string) => {
    const nowMs = performance.now();
    if (nowMs < quietUntilMs) return;
    quietUntilMs = nowMs + COMPLAINT_INTERVAL_MS;
    logger.warn({ reason: message }, 'traces are not reaching the collector');
  };
  const ignore = () => {};
  diag.setLogger(
    { error: complain, warn: complain, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
