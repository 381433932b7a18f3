import { isJsonObject, type JsonObject } from '../../../../../src/core/json.ts';
import { costIn, faultOf, numberOf, objectOf, textOf, usageOf } from './payload.ts';
import { addSegment, closeSegment, openSegment } from './segments.ts';
import type { ModelSpan } from './span.ts';

interface Told {
  readonly payload: JsonObject;
  readonly seq: number;
  readonly atMs: number;
}

/** A question to the model: the first of its turn, or another try. */
export function beginAttempt(
  known: ModelSpan | undefined,
  told: Told & {
    readonly id: string;
    readonly turn: number;
    readonly toolNames: readonly string[];
  },
): ModelSpan {
  const { payload, seq, atMs, id, turn, toolNames } = told;
  const attempt = {
    startMs: atMs,
    endMs: undefined,
    error: undefined,
    usage: undefined,
    costUsd: undefined,
    state: 'running' as const,
  };
  const asked = {
    model: [textOf(payload['provider']), textOf(payload['model'])].filter(Boolean).join('/'),
    mode: textOf(payload['mode']),
    messages: numberOf(payload['messages']) ?? 0,
    toolsOffered: numberOf(payload['tools']) ?? 0,
    toolNames,
    state: 'running' as const,
    endMs: undefined,
    lastSeq: seq,
    // What an earlier attempt had said is void.
    text: '',
    firstWordsMs: undefined,
  };
  if (known !== undefined) {
    return {
      ...known,
      ...asked,
      attempts: [...known.attempts, attempt],
      segments: openSegment(betweenAttempts(known, atMs), 'work', atMs),
    };
  }
  return {
    id,
    kind: 'model',
    turn,
    ...asked,
    startMs: atMs,
    durationMs: undefined,
    segments: openSegment([], 'work', atMs),
    firstSeq: seq,
    attempts: [attempt],
    notes: [],
    calls: [],
    rejectedCalls: 0,
    finishReason: undefined,
    usage: undefined,
    costUsd: undefined,
    recalled: recalledIn(payload),
  };
}

/** After a fault it waited for the provider; after an interruption nobody was there. */
function betweenAttempts({ segments, endMs, state }: ModelSpan, atMs: number) {
  if (endMs === undefined) return closeSegment(segments, atMs);
  const kind = state === 'interrupted' ? 'gap' : 'wait';
  return addSegment(segments, { kind, fromMs: endMs, toMs: atMs });
}

function recalledIn(payload: JsonObject): ModelSpan['recalled'] {
  const { recalled } = payload;
  if (!isJsonObject(recalled)) return undefined;
  const ids = recalled['memory_ids'];
  return {
    text: textOf(recalled['text']),
    memoryIds: Array.isArray(ids) ? ids.map(textOf) : [],
  };
}

export function addDelta(span: ModelSpan, { payload, seq, atMs }: Told): ModelSpan {
  const isFirst = span.firstWordsMs === undefined;
  return {
    ...span,
    text: span.text + textOf(payload['text']),
    lastSeq: seq,
    ...(isFirst
      ? {
          firstWordsMs: atMs - (span.attempts.at(-1)?.startMs ?? atMs),
          segments: openSegment(span.segments, 'words', atMs),
        }
      : {}),
  };
}

export function addNote(span: ModelSpan, { payload, seq }: Told): ModelSpan {
  const note = { kind: textOf(payload['kind']), text: textOf(payload['text']) };
  return { ...span, lastSeq: seq, notes: [...span.notes, note] };
}

export function failAttempt(span: ModelSpan, { payload, seq, atMs }: Told): ModelSpan {
  const error = faultOf(payload['error']);
  // Whoever stopped the run stopped the question with it: nothing went wrong.
  const state = error?.code === 'cancelled' ? ('interrupted' as const) : ('failed' as const);
  const failed = {
    endMs: atMs,
    error,
    usage: usageOf(payload['usage']),
    costUsd: costIn(payload),
    state,
  };
  // What it had said before belongs to the attempt that failed.
  const { attempts, segments } = span;
  const begun = attempts.at(-1);
  const kept = segments.filter(({ fromMs }) => begun === undefined || fromMs < begun.startMs);
  const kind = state === 'failed' ? ('failed' as const) : ('work' as const);
  const whole = { kind, fromMs: begun?.startMs ?? atMs, toMs: atMs };
  return {
    ...span,
    state,
    endMs: atMs,
    lastSeq: seq,
    attempts: begun === undefined ? attempts : [...attempts.slice(0, -1), { ...begun, ...failed }],
    segments: [...kept, whole],
  };
}

export function completeTurn(span: ModelSpan, { payload, seq, atMs }: Told): ModelSpan {
  const { attempts } = span;
  const last = attempts.at(-1);
  const wanted = payload['tool_calls'];
  const rejected = payload['rejected_calls'];
  return {
    ...span,
    state: 'done',
    endMs: atMs,
    lastSeq: seq,
    durationMs: numberOf(payload['duration_ms']),
    segments: closeSegment(span.segments, atMs),
    attempts:
      last === undefined
        ? attempts
        : [...attempts.slice(0, -1), { ...last, endMs: atMs, state: 'answered' }],
    text: textOf(payload['text']),
    finishReason: textOf(payload['finish_reason']) || undefined,
    usage: usageOf(payload['usage']),
    costUsd: costIn(payload),
    rejectedCalls: Array.isArray(rejected) ? rejected.length : 0,
    calls: (Array.isArray(wanted) ? wanted : []).map(objectOf).map((call) => ({
      callId: textOf(call['id']),
      tool: textOf(call['tool']),
    })),
  };
}

export function interruptModel(span: ModelSpan, atMs: number): ModelSpan {
  const last = span.attempts.at(-1);
  return {
    ...span,
    state: 'interrupted',
    endMs: atMs,
    segments: closeSegment(span.segments, atMs),
    attempts:
      last === undefined
        ? span.attempts
        : [...span.attempts.slice(0, -1), { ...last, endMs: atMs, state: 'interrupted' }],
  };
}
