import type { JsonObject, JsonValue } from '../../../../../src/core/json.ts';

/**
 * What a stretch of a bar stands for. `work`: it goes on. `words`: the model answers. `wait`: somebody has to decide, or
 * a provider wanted time. `failed`: an attempt that brought nothing. `gap`: nobody executed the run.
 */
export type SegmentKind = 'work' | 'words' | 'wait' | 'failed' | 'gap';

export interface Segment {
  readonly kind: SegmentKind;
  readonly fromMs: number;
  /** Undefined: it goes on. */
  readonly toMs: number | undefined;
}

/** `asked`: the model wants it, and it has not begun. `skipped`: the run ended before it did. */
export type SpanState =
  | 'asked'
  | 'running'
  | 'waiting'
  | 'done'
  | 'failed'
  | 'interrupted'
  | 'skipped';

export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cachedInputTokens: number | undefined;
}

export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly isRetryable: boolean;
  readonly details: JsonValue | undefined;
}

interface AnySpan {
  readonly id: string;
  readonly state: SpanState;
  readonly startMs: number;
  /** Undefined while it goes on. */
  readonly endMs: number | undefined;
  /** As it was measured where it happened; what events tell otherwise is rounder. */
  readonly durationMs: number | undefined;
  readonly segments: readonly Segment[];
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** One question to a model with all its attempts. */
export interface ModelSpan extends AnySpan {
  readonly kind: 'model';
  readonly turn: number;
  readonly model: string;
  /** `recovery` after calls that failed in a row. */
  readonly mode: string;
  readonly messages: number;
  /** How many tools the model could choose from. */
  readonly toolsOffered: number;
  /** Their names; empty in logs that do not tell. */
  readonly toolNames: readonly string[];
  readonly attempts: readonly Attempt[];
  readonly text: string;
  readonly notes: readonly Note[];
  readonly calls: readonly AskedCall[];
  readonly rejectedCalls: number;
  readonly finishReason: string | undefined;
  readonly usage: Usage | undefined;
  readonly costUsd: number | null | undefined;
  /** Of the attempt that was answered. */
  readonly firstWordsMs: number | undefined;
  readonly recalled: Recalled | undefined;
}

interface Attempt {
  readonly startMs: number;
  readonly endMs: number | undefined;
  readonly error: Fault | undefined;
  readonly usage: Usage | undefined;
  readonly costUsd: number | null | undefined;
  readonly state: 'running' | 'answered' | 'failed' | 'interrupted';
}

interface Note {
  readonly kind: string;
  readonly text: string;
}

interface AskedCall {
  readonly callId: string;
  readonly tool: string;
}

/** What the run began with of what is remembered. */
interface Recalled {
  readonly text: string;
  readonly memoryIds: readonly string[];
}

export interface ToolSpan extends AnySpan {
  readonly kind: 'tool';
  /** The question whose answer wanted it; undefined for a call that no model asked for. */
  readonly parentId: string | undefined;
  readonly callId: string;
  readonly requestId: string | undefined;
  readonly tool: string;
  readonly input: JsonObject;
  readonly effect: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly output: JsonValue | undefined;
  readonly error: Fault | undefined;
  readonly summary: string;
  readonly isFromCache: boolean;
  /** Carried out by whoever made the run. */
  readonly isByClient: boolean;
  /** Where it was made, when not by the run's own loop. */
  readonly origin: string | undefined;
  readonly approval: Approval | undefined;
  /** Why policy refused it. */
  readonly refusal: string | undefined;
  /** Times it was taken up again after a crash. */
  readonly resumptions: number;
  /** Other runs that its result names: those it started or read. */
  readonly runIds: readonly string[];
}

export interface Approval {
  readonly id: string;
  readonly reason: string;
  readonly askedMs: number;
  readonly answer:
    | {
        readonly status: string;
        readonly by: string | undefined;
        readonly note: string | undefined;
        readonly atMs: number;
      }
    | undefined;
}

export type Span = ModelSpan | ToolSpan;

/** A time in which nothing of the run went on. `queued`: before it began. `rest`: until its next input. */
export interface Band {
  readonly kind: 'queued' | 'gap' | 'rest';
  readonly fromMs: number;
  readonly toMs: number | undefined;
}

/** A moment worth a line. */
export interface Mark {
  readonly kind: 'resumed' | 'cancel' | 'input';
  readonly atMs: number;
  readonly seq: number;
  readonly label: string;
}

export interface RunOutcome {
  readonly status: string;
  readonly stopReason: string;
  readonly output: string;
  readonly error: { readonly code: string; readonly message: string } | undefined;
}

export interface Timeline {
  readonly startMs: number;
  /** Undefined while the run is open. */
  readonly endMs: number | undefined;
  readonly spans: readonly Span[];
  readonly bands: readonly Band[];
  readonly marks: readonly Mark[];
  readonly outcome: RunOutcome | undefined;
  readonly lastSeq: number;
}

/** How long a bar is now: as measured, else by its events. */
export function durationOf(span: Span, nowMs: number): number | undefined {
  if (span.state === 'asked' || span.state === 'skipped') return undefined;
  return span.durationMs ?? Math.max(0, (span.endMs ?? nowMs) - span.startMs);
}

/** How long somebody was waited for. */
export function waitedMs({ segments }: Span, nowMs: number): number {
  return segments.reduce(
    (sum, { kind, fromMs, toMs }) => (kind === 'wait' ? sum + ((toMs ?? nowMs) - fromMs) : sum),
    0,
  );
}

export function isOpen({ state }: Span): boolean {
  return state === 'running' || state === 'waiting';
}

/** What a question cost with all its attempts. Null: one of them is not known. */
export function costOf({ costUsd, attempts }: ModelSpan): number | null | undefined {
  const failed = attempts.filter(({ error }) => error !== undefined);
  if (costUsd === undefined && failed.length === 0) return undefined;
  return [...failed.map((one) => one.costUsd), costUsd === undefined ? 0 : costUsd].reduce<
    number | null
  >((sum, one) => (sum === null || one === null || one === undefined ? null : sum + one), 0);
}
