import { isJsonObject, type JsonObject } from '../../../../../src/core/json.ts';
import { decodeToolNames } from '../../../../../src/core/loop/record/tool-names.ts';
import type { RunEvent } from '../../../api/use-run-events.ts';
import {
  addDelta,
  addNote,
  beginAttempt,
  completeTurn,
  failAttempt,
  interruptModel,
} from './model-span.ts';
import { numberOf, objectOf, textOf } from './payload.ts';
import { closeSegment, withGap } from './segments.ts';
import type { Band, Mark, ModelSpan, RunOutcome, Span, Timeline, ToolSpan } from './span.ts';
import { applyDecision, askedSpan, beginCall, directSpan, endCall } from './tool-span.ts';

/** The timeline of a run, made event by event: what is there already is not looked at again. */
export interface TimelineBuilder {
  /** Events that were added before, by their `seq`, change nothing. */
  add(events: readonly RunEvent[]): Timeline;
}

interface Building {
  startMs: number;
  endMs: number | undefined;
  lastMs: number;
  lastSeq: number;
  hasStarted: boolean;
  spans: Span[];
  bands: Band[];
  marks: Mark[];
  outcome: RunOutcome | undefined;
  /** Of the tools that are offered now: on record when they changed. */
  toolNames: readonly string[];
  /** Places in `spans`. */
  readonly places: Map<string, number>;
  /** The span of each call of the newest answers, by the model's own id for it. */
  readonly calls: Map<string, string>;
}

export function createTimeline(): TimelineBuilder {
  const building: Building = {
    startMs: 0,
    endMs: undefined,
    lastMs: 0,
    lastSeq: 0,
    hasStarted: false,
    spans: [],
    bands: [],
    marks: [],
    outcome: undefined,
    toolNames: [],
    places: new Map(),
    calls: new Map(),
  };
  return {
    add(events) {
      for (const event of events) {
        if (event.seq <= building.lastSeq) continue;
        apply(building, event);
        building.lastSeq = event.seq;
      }
      const { startMs, endMs, spans, bands, marks, outcome, lastSeq } = building;
      return {
        startMs,
        endMs,
        spans: spans.slice(),
        bands: bands.slice(),
        marks: marks.slice(),
        outcome,
        lastSeq,
      };
    },
  };
}

/** Clocks of several machines: what comes later in the log is not earlier in time. */
function apply(building: Building, event: RunEvent): void {
  const atMs = Math.max(Date.parse(event.ts), building.lastMs);
  if (building.startMs === 0) building.startMs = atMs;
  applyEvent(building, event, atMs);
  building.lastMs = atMs;
}

function applyEvent(building: Building, event: RunEvent, atMs: number): void {
  switch (event.event_type) {
    case 'run.started':
      begin(building, atMs);
      break;
    case 'frame.accepted':
      acceptFrame(building, event, atMs);
      break;
    case 'run.recovered':
      resume(building, event, atMs);
      break;
    case 'run.cancel_requested':
      noteCancel(building, event, atMs);
      break;
    case 'run.completed':
    case 'run.failed':
    case 'run.cancelled':
      end(building, event.payload as JsonObject, atMs);
      break;
    case 'model.requested':
    case 'model.delta':
    case 'model.completed':
    case 'model.failed':
    case 'agent.noted':
      applyModel(building, event, atMs);
      break;
    case 'tool.call':
    case 'tool.result':
    case 'policy.decision':
      applyTool(building, event, atMs);
      break;
    case 'run.created':
    case 'frame.ignored':
      break;
  }
}

function begin(building: Building, atMs: number): void {
  building.hasStarted = true;
  if (atMs > building.startMs) {
    building.bands.push({ kind: 'queued', fromMs: building.startMs, toMs: atMs });
  }
}

function noteCancel({ marks }: Building, { seq, payload }: RunEvent, atMs: number): void {
  const reason = textOf((payload as JsonObject)['reason']) || 'no reason given';
  marks.push({ kind: 'cancel', atMs, seq, label: `Cancel asked for: ${reason}` });
}

/** A run that takes input rests until it comes. */
function acceptFrame(building: Building, event: RunEvent, atMs: number): void {
  const { lastMs, bands, marks } = building;
  if (!hasOpen(building) && atMs > lastMs) bands.push({ kind: 'rest', fromMs: lastMs, toMs: atMs });
  const type = textOf((event.payload as JsonObject)['type']);
  marks.push({ kind: 'input', atMs, seq: event.seq, label: `Input: ${type || 'message'}` });
}

function hasOpen({ spans }: Building): boolean {
  // What is open is among the newest: a turn, and the calls that it asked for.
  return spans
    .slice(-MAX_OPEN)
    .some(({ endMs, state }) => endMs === undefined && state !== 'asked');
}

const MAX_OPEN = 128;

/** Whoever executed the run was gone since the event before. */
function resume(building: Building, { seq }: RunEvent, atMs: number): void {
  const { lastMs } = building;
  building.bands.push({ kind: 'gap', fromMs: lastMs, toMs: atMs });
  building.marks.push({ kind: 'resumed', atMs, seq, label: 'Taken up again' });
  const from = Math.max(0, building.spans.length - MAX_OPEN);
  for (let at = from; at < building.spans.length; at += 1) {
    const span = building.spans[at];
    if (span === undefined || span.endMs !== undefined || span.state === 'asked') continue;
    building.spans[at] =
      span.kind === 'model'
        ? interruptModel(span, lastMs)
        : { ...withGap(span, { fromMs: lastMs, toMs: atMs }), resumptions: span.resumptions + 1 };
  }
}

function end(building: Building, payload: JsonObject, atMs: number): void {
  building.endMs = atMs;
  const error = payload['error'];
  building.outcome = {
    status: textOf(payload['status']),
    stopReason: textOf(payload['stop_reason']),
    output: textOf(payload['output']),
    error: isJsonObject(error)
      ? { code: textOf(error['code']), message: textOf(error['message']) }
      : undefined,
  };
  building.spans = building.spans.map((span) => closeAtEnd(span, atMs));
}

function closeAtEnd(span: Span, atMs: number): Span {
  if (span.state === 'asked') return { ...span, state: 'skipped', endMs: atMs };
  if (span.endMs !== undefined) return span;
  return span.kind === 'model'
    ? interruptModel(span, atMs)
    : { ...span, state: 'interrupted', endMs: atMs, segments: closeSegment(span.segments, atMs) };
}

interface Told {
  readonly payload: JsonObject;
  readonly seq: number;
  readonly atMs: number;
}

function applyModel(building: Building, event: RunEvent, atMs: number): void {
  const payload = event.payload as JsonObject;
  const turn = numberOf(payload['turn']) ?? 0;
  const id = `turn-${turn}`;
  const known = spanOf(building, id);
  const span = known?.kind === 'model' ? known : undefined;
  const told = { payload, seq: event.seq, atMs };
  if (event.event_type === 'model.requested') {
    const { tool_names: names } = payload;
    if (typeof names === 'string') building.toolNames = decodeToolNames(names);
    put(building, beginAttempt(span, { ...told, id, turn, toolNames: building.toolNames }));
  } else if (span !== undefined) {
    put(building, changeModel(span, event.event_type, told));
    if (event.event_type === 'model.completed') announceCalls(building, id, told);
  }
}

function changeModel(span: ModelSpan, type: RunEvent['event_type'], told: Told): ModelSpan {
  switch (type) {
    case 'model.delta':
      return addDelta(span, told);
    case 'model.failed':
      return failAttempt(span, told);
    case 'agent.noted':
      return addNote(span, told);
    default:
      return completeTurn(span, told);
  }
}

/** Calls that an answer wants are shown before they begin. */
function announceCalls(building: Building, parentId: string, told: Told): void {
  const wanted = told.payload['tool_calls'];
  for (const call of Array.isArray(wanted) ? wanted : []) {
    const asked = askedSpan(objectOf(call), { ...told, parentId });
    building.calls.set(asked.callId, asked.id);
    put(building, asked);
  }
}

function applyTool(building: Building, event: RunEvent, atMs: number): void {
  const payload = event.payload as JsonObject;
  const told = { payload, seq: event.seq, atMs };
  const span = findCall(building, payload);
  if (event.event_type === 'tool.call') {
    const parentId = parentOf(building, payload);
    const begun = beginCall(
      span?.state === 'asked' ? span : directSpan({ ...told, parentId }),
      told,
    );
    building.calls.set(begun.callId, begun.id);
    if (begun.requestId !== undefined) building.calls.set(begun.requestId, begun.id);
    put(building, begun);
  } else if (span !== undefined) {
    const isResult = event.event_type === 'tool.result';
    put(
      building,
      isResult ? endCall(span, { ...told, runId: event.run_id }) : applyDecision(span, told),
    );
  }
}

/** By the request, which is unique; a call that has not begun has only the model's id for it. */
function findCall(building: Building, payload: JsonObject): ToolSpan | undefined {
  const id =
    building.calls.get(textOf(payload['request_id'])) ??
    building.calls.get(textOf(payload['tool_call_id']));
  const span = id === undefined ? undefined : spanOf(building, id);
  return span?.kind === 'tool' ? span : undefined;
}

/** What an agent does where it lives belongs to the turn under way; other calls from outside belong to none. */
function parentOf({ spans }: Building, { origin }: JsonObject): string | undefined {
  if (origin === 'tools_execute') return undefined;
  return spans.findLast((span) => span.kind === 'model')?.id;
}

function spanOf({ spans, places }: Building, id: string): Span | undefined {
  const place = places.get(id);
  return place === undefined ? undefined : spans[place];
}

function put(building: Building, span: Span): void {
  const place = building.places.get(span.id) ?? building.spans.length;
  building.places.set(span.id, place);
  building.spans[place] = span;
}
