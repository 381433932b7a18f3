import { type Event, type EventType, isTerminalEvent } from '../events/event.ts';
import type { ChainPosition } from '../events/hash-chain.ts';
import type { Seal } from '../events/seal.ts';
import type { SessionId } from '../ids.ts';
import { isJsonObject } from '../json.ts';
import { encodeEnd } from '../loop/encode-end.ts';
import { OPERATOR } from '../principal.ts';
import { decodeForkPoint } from '../runs/fork-point.ts';
import type { RunEnd, RunTotals, StopReason } from '../runs/run.ts';
import type { RestoredRun, RunOrigin } from './record-store.ts';

export interface LostRun {
  /** All that the audit files hold of it, from the first event on. */
  readonly events: readonly Event[];
  /** The last event that the log still has. */
  readonly after: ChainPosition;
  readonly hasRow: boolean;
}

/** What has to be put back of a run, told by its events alone. Undefined when there are none. */
export function toRestoredRun(seal: Seal, lost: LostRun): RestoredRun | undefined {
  const { events, after, hasRow } = lost;
  const first = events[0];
  const last = events.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const types = events.map(({ type }) => type);
  const end = isTerminalEvent(last) ? decodeEnd(last) : cutOff(describeCutOff(events), types);
  return {
    runId: first.runId,
    agentId: first.agentId,
    after,
    events: events.filter(({ seq }) => seq > after.seq),
    closing: isTerminalEvent(last) ? undefined : toClosing(seal, end),
    end,
    origin: hasRow ? undefined : decodeOrigin(events),
  };
}

export interface AbandonedRun extends Pick<RestoredRun, 'runId' | 'agentId' | 'after'> {
  /** Of the events that the log still has. */
  readonly kept: readonly EventType[];
}

/** Ends a run whose further events are given up: going on from before them would do again what was done. */
export function toAbandonedRun(seal: Seal, { kept, ...target }: AbandonedRun): RestoredRun {
  const end = cutOff(
    'the database lost later events of this run, and the operator accepted that',
    kept,
  );
  return { ...target, events: [], closing: toClosing(seal, end), end, origin: undefined };
}

function toClosing(seal: Seal, end: RunEnd) {
  return seal({ type: 'run.failed', actor: 'operator', payload: encodeEnd(end) });
}

function cutOff(message: string, types: readonly EventType[]): RunEnd {
  const count = (type: EventType) => types.filter((each) => each === type).length;
  // What the turns cost is on record with each; a sum made here could miss the one under way.
  const unknown = { inputTokens: null, outputTokens: null, costUsd: null };
  return {
    status: 'failed',
    stopReason: 'failed',
    output: '',
    error: { code: 'outcome_unknown', message },
    totals: { turns: count('model.completed'), toolCalls: count('tool.result'), ...unknown },
  };
}

function describeCutOff(events: readonly Event[]): string {
  const open = listOpenCalls(events);
  const calls = open.length === 0 ? '' : `; calls without a result: ${open.join(', ')}`;
  return `the database lost this run; its events were put back from the audit files${calls}`;
}

function listOpenCalls(events: readonly Event[]): string[] {
  const open = new Map<unknown, string>();
  for (const { type, payload } of events) {
    const key = payload['request_id'] ?? payload['tool_call_id'];
    if (type === 'tool.call') open.set(key, toText(payload['tool']) || String(key));
    if (type === 'tool.result') open.delete(key);
  }
  return [...open.values()];
}

function decodeEnd({ type, payload }: Event): RunEnd {
  const status = type === 'run.completed' || type === 'run.cancelled' ? type.slice(4) : 'failed';
  const { error, usage } = payload;
  return {
    status: status as RunEnd['status'],
    stopReason: (toText(payload['stop_reason']) || status) as StopReason,
    output: toText(payload['output']),
    ...(isJsonObject(error)
      ? { error: { code: toText(error['code']), message: toText(error['message']) } }
      : {}),
    totals: decodeTotals(isJsonObject(usage) ? usage : {}),
  };
}

function decodeTotals(usage: Readonly<Record<string, unknown>>): RunTotals {
  const known = (name: string) => {
    const value = usage[name];
    return typeof value === 'number' ? value : null;
  };
  return {
    turns: known('turns') ?? 0,
    toolCalls: known('tool_calls') ?? 0,
    inputTokens: known('input_tokens'),
    outputTokens: known('output_tokens'),
    costUsd: known('cost_usd'),
  };
}

function decodeOrigin(events: readonly Event[]): RunOrigin | undefined {
  const created = events[0];
  if (created?.type !== 'run.created') return undefined;
  const { payload, redactions } = created;
  const { idempotency } = payload;
  const isWhole = !redactions.some((path) => path.startsWith('payload.idempotency'));
  const threadId = toText(payload['thread_id']);
  return {
    owner: toText(payload['principal']) || OPERATOR,
    source: toText(payload['source']),
    message: toText(payload['message']),
    sessionId: (toText(payload['session_id']) || undefined) as SessionId | undefined,
    projectId: toText(payload['project_id']) || undefined,
    thread: threadId ? { id: threadId, staysOpen: payload['auto_finish'] !== true } : undefined,
    forkedFrom: decodeForkPoint(payload['forked_from']),
    createdAtMs: created.atMs,
    startedAtMs: events.find(({ type }) => type === 'run.started')?.atMs,
    idempotency:
      isWhole && isJsonObject(idempotency)
        ? { key: toText(idempotency['id']), digest: toText(idempotency['digest']) }
        : undefined,
  };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
