import type { ReliabilityEvent } from './reliability/observer.ts';
import type { TraceContext } from './trace-context.ts';

/** What the core reports about itself. Both ports have a no-op: unset telemetry costs a function call. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** Spans that the contract of `/internal/v1` names; others are our own. */
export const SPANS = {
  /** Taking in frames and delivery events. */
  ingest: 'runtime.ingest',
  /** One turn of a model. */
  infer: 'runtime.infer',
  tool: 'runtime.tool',
  /** Snapshots and cancels. */
  persist: 'runtime.persist',
  stream: 'runtime.stream',
} as const;

export type SpanName = (typeof SPANS)[keyof typeof SPANS];

/** Parts of a run's way that no span of a trace stands for. */
export type Stage = 'end' | 'records';

export interface Span {
  set(attributes: SpanAttributes): void;
}

export interface Tracer {
  /** Runs `work` inside a span; a rejection marks the span as failed and passes through. */
  span<T>(name: string, attributes: SpanAttributes, work: (span: Span) => Promise<T>): Promise<T>;
  /** What `work` starts belongs to the trace of a caller, as far as `caller` names one. */
  continueTrace<T>(caller: TraceContext, work: () => T): T;
  /** Where the caller of this is, to be sent on to services that continue traces; undefined outside of any trace. */
  current?(): TraceContext | undefined;
  /** For whoever measures where time goes, and for nobody else: `work` belongs to this part of the way. */
  stage?<T>(stage: Stage, work: () => T): T;
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
  continueTrace: (_caller, work) => work(),
};

/** False when spans lead nowhere, so that whoever would make many of them need not. */
export function isRecording(tracer: Tracer): boolean {
  return tracer.span !== noTracer.span;
}

export function inStage<T>(tracer: Pick<Tracer, 'stage'>, stage: Stage, work: () => T): T {
  return tracer.stage ? tracer.stage(stage, work) : work();
}

export const noMetrics: Metrics = {
  runEnded: () => {},
  modelTurn: () => {},
  toolCall: () => {},
  reliability: () => {},
};
