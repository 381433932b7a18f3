import type { JsonObject } from '../../../../../src/core/json.ts';
import { faultOf, findRunIds, numberOf, objectOf, textOf } from './payload.ts';
import { closeSegment, openSegment } from './segments.ts';
import type { ToolSpan } from './span.ts';

interface Told {
  readonly payload: JsonObject;
  readonly seq: number;
  readonly atMs: number;
}

type Placed = Omit<Told, 'payload'> & { readonly parentId: string | undefined };

/** A call that an answer wants. */
export function askedSpan(call: JsonObject, { seq, atMs, parentId }: Placed): ToolSpan {
  const callId = textOf(call['id']);
  return {
    ...emptySpan({ seq, atMs, parentId }),
    id: `call-${seq}-${callId}`,
    callId,
    tool: textOf(call['tool']),
    input: objectOf(call['input']),
  };
}

/** One that nobody announced: a `/tool` message, a caller in the run's name, an agent that lives elsewhere. */
export function directSpan({ payload, ...placed }: Told & Placed): ToolSpan {
  const callId = textOf(payload['tool_call_id']);
  return { ...emptySpan(placed), id: `call-${placed.seq}-${callId}`, callId };
}

function emptySpan({ seq, atMs, parentId }: Placed): Omit<ToolSpan, 'id' | 'callId'> {
  return {
    kind: 'tool',
    parentId,
    state: 'asked',
    startMs: atMs,
    endMs: undefined,
    durationMs: undefined,
    segments: [],
    firstSeq: seq,
    lastSeq: seq,
    requestId: undefined,
    tool: '',
    input: {},
    effect: undefined,
    timeoutMs: undefined,
    output: undefined,
    error: undefined,
    summary: '',
    isFromCache: false,
    isByClient: false,
    origin: undefined,
    approval: undefined,
    refusal: undefined,
    resumptions: 0,
    runIds: [],
  };
}

export function beginCall(span: ToolSpan, { payload, seq, atMs }: Told): ToolSpan {
  const isByClient = payload['executed_by'] === 'client';
  return {
    ...span,
    state: isByClient ? 'waiting' : 'running',
    startMs: atMs,
    firstSeq: seq,
    lastSeq: seq,
    requestId: textOf(payload['request_id']) || undefined,
    tool: textOf(payload['tool']) || span.tool,
    input: objectOf(payload['input']),
    effect: textOf(payload['effect']) || undefined,
    timeoutMs: numberOf(payload['timeout_ms']),
    origin: textOf(payload['origin']) || undefined,
    isByClient,
    segments: openSegment([], isByClient ? 'wait' : 'work', atMs),
  };
}

/** A question to a person, its answer, or the reason why a call was refused. */
export function applyDecision(span: ToolSpan, { payload, seq, atMs }: Told): ToolSpan {
  const approvalId = textOf(payload['approval_id']);
  if (approvalId === '') {
    return { ...span, lastSeq: seq, refusal: textOf(payload['message']) || 'refused by policy' };
  }
  if (payload['decision'] === 'ask') {
    return {
      ...span,
      state: 'waiting',
      lastSeq: seq,
      segments: openSegment(span.segments, 'wait', atMs),
      approval: {
        id: approvalId,
        reason: textOf(payload['message']),
        askedMs: atMs,
        answer: undefined,
      },
    };
  }
  const asked = span.approval ?? { id: approvalId, reason: '', askedMs: atMs };
  return {
    ...span,
    state: 'running',
    lastSeq: seq,
    segments: openSegment(span.segments, 'work', atMs),
    approval: {
      ...asked,
      answer: {
        status: textOf(payload['status']) || textOf(payload['decision']),
        by: textOf(payload['by']) || undefined,
        note: textOf(payload['note']) || undefined,
        atMs,
      },
    },
  };
}

export function endCall(
  span: ToolSpan,
  { payload, seq, atMs, runId }: Told & { readonly runId: string },
): ToolSpan {
  const error = faultOf(payload['error']);
  const durationMs = numberOf(payload['duration_ms']);
  const endMs = endOf(span, durationMs, atMs);
  return {
    ...span,
    state: payload['ok'] === true && error === undefined ? 'done' : 'failed',
    endMs,
    durationMs,
    lastSeq: seq,
    segments: tookOnly(closeSegment(span.segments, endMs), durationMs),
    output: payload['output'],
    error,
    summary: textOf(payload['summary']),
    isFromCache: payload['from_cache'] === true,
    runIds: findRunIds(payload['output'], runId),
  };
}

/** Between an answer and the call somebody had to take the run up again: that was waiting too. */
function tookOnly(segments: ToolSpan['segments'], durationMs: number | undefined) {
  const [held, work] = segments.slice(-2);
  if (held?.kind !== 'wait' || work?.toMs === undefined || durationMs === undefined)
    return segments;
  const fromMs = Math.max(work.fromMs, work.toMs - durationMs);
  return [...segments.slice(0, -2), { ...held, toMs: fromMs }, { ...work, fromMs }];
}

/**
 * Results of calls that were made at the same time are put on record together: how long each took tells them apart. A
 * call that was held up is as long as its events say.
 */
function endOf(span: ToolSpan, durationMs: number | undefined, atMs: number): number {
  if (durationMs === undefined || span.segments.length !== 1) return atMs;
  return Math.min(atMs, span.startMs + durationMs);
}
