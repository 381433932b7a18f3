import type { ReliabilityEvent } from './reliability/observer.ts';

/** What the core reports about itself. Both ports have a no-op: unset telemetry costs a function call. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface Span {
  set(attributes: SpanAttributes): void;
}

export interface Tracer {
  /** Runs `work` inside a span; a rejection marks the span as failed and passes through. */
  span<T>(name: string, attributes: SpanAttributes, work: (span: Span) => Promise<T>): Promise<T>;
  /** Spans that `work` starts belong to the trace of a caller, when `traceparent` (W3C) names one. */
  continueTrace<T>(traceparent: string | undefined, work: () => T): T;
  /** Of the span that the caller is in, for services that continue traces. */
  traceparent?(): string | undefined;
}

/** Labels are bounded: statuses, tool names and model names, never ids. */
export interface Metrics {
  runEnded(status: string, durationMs: number): void;
  modelTurn(turn: { model: string; outcome: string; durationMs: number; tokens: number }): void;
  toolCall(call: { tool: string; status: string; durationMs: number }): void;
  /** Retries, circuits and deduplication. */
  reliability(event: ReliabilityEvent): void;
}

const noSpan: Span = { set: () => {} };

export const noTracer: Tracer = {
  span: (_name, _attributes, work) => work(noSpan),
  continueTrace: (_traceparent, work) => work(),
};

export const noMetrics: Metrics = {
  runEnded: () => {},
  modelTurn: () => {},
  toolCall: () => {},
  reliability: () => {},
};
