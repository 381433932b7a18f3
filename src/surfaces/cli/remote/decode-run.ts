import { RuntimeError } from '../../../core/errors.ts';
import { type Actor, EVENT_TYPES, type Event } from '../../../core/events/event.ts';
import type { AgentId, EventId, RunId, SessionId } from '../../../core/ids.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { OPERATOR } from '../../../core/principal.ts';
import { isTerminal, RUN_STATUSES, type Run, type StopReason } from '../../../core/runs/run.ts';
import type { RunTrace, TracedToolResult } from '../../../core/runs/trace.ts';

/** A run as `/v1` shows it. The server may be of another version: what is not there is taken for empty. */
export function decodeRun(value: unknown): Run {
  const wire = asObject(value, 'a run');
  const status = RUN_STATUSES.find((known) => known === wire['status']);
  const id = text(wire['id']);
  if (id === '' || status === undefined) throw unreadable('a run');
  const usage = isJsonObject(wire['usage']) ? wire['usage'] : {};
  const error = isJsonObject(wire['error']) ? wire['error'] : undefined;
  const updatedAtMs = time(wire['updated_at']);
  return {
    id: id as RunId,
    agentId: text(wire['agent_id']) as AgentId,
    sessionId: optional(wire['session_id']) as SessionId | undefined,
    // The wire does not say it, and no command shows it.
    owner: OPERATOR,
    exchange: undefined,
    thread: undefined,
    source: text(wire['source']),
    status,
    message: text(wire['message']),
    lastSeq: number(wire['last_seq']),
    output: optional(wire['output']),
    stopReason: optional(wire['stop_reason']) as StopReason | undefined,
    error: error && { code: text(error['code']), message: text(error['message']) },
    provider: optional(wire['provider']),
    model: optional(wire['model']),
    totals: {
      turns: 0,
      toolCalls: number(wire['tool_calls']),
      inputTokens: tokens(usage['input_tokens']),
      outputTokens: tokens(usage['output_tokens']),
      costUsd: typeof usage['cost_usd'] === 'number' ? usage['cost_usd'] : null,
    },
    createdAtMs: time(wire['created_at']),
    // The wire has the duration instead, which ends with the last update.
    startedAtMs: updatedAtMs - number(wire['duration_ms']),
    updatedAtMs,
    endedAtMs: isTerminal(status) ? updatedAtMs : undefined,
  };
}

export function decodeTrace(value: unknown): RunTrace {
  const wire = asObject(value, 'a run');
  const trace = isJsonObject(wire['trace']) ? wire['trace'] : {};
  const results = Array.isArray(trace['tool_execution_results'])
    ? trace['tool_execution_results']
    : [];
  return {
    toolResults: results.filter(isJsonObject).map(decodeToolResult),
    truncated: trace['truncated'] === true,
  };
}

/** Streams leave the chain out: `prevHash` and `hash` are empty, and only the database can be verified. */
export function decodeEvent(value: unknown): Event | undefined {
  const wire = asObject(value, 'an event');
  const type = EVENT_TYPES.find((known) => known === wire['event_type']);
  // An event of a newer server that this program has no words for.
  if (type === undefined) return undefined;
  return {
    id: text(wire['event_id']) as EventId,
    runId: text(wire['run_id']) as RunId,
    agentId: text(wire['agent_id']) as AgentId,
    seq: number(wire['seq']),
    type,
    atMs: time(wire['ts']),
    actor: text(wire['actor']) as Actor,
    payload: isJsonObject(wire['payload']) ? wire['payload'] : {},
    redactions: [],
    prevHash: '',
    hash: '',
  };
}

export function asObject(value: unknown, what: string): JsonObject {
  if (!isJsonObject(value)) throw unreadable(what);
  return value;
}

function unreadable(what: string): RuntimeError {
  return new RuntimeError(
    'internal',
    `the server did not answer with ${what}: is it another version?`,
  );
}

function decodeToolResult(wire: JsonObject): TracedToolResult {
  return {
    tool: text(wire['tool']),
    callId: text(wire['tool_call_id']),
    arguments: wire['arguments'] ?? {},
    summary: text(wire['summary']),
    output: text(wire['output']),
    error: text(wire['error']),
    durationMs: number(wire['duration_ms']),
    fromCache: wire['from_cache'] === true,
  };
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function optional(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function number(value: JsonValue | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** Null when the server does not know. */
function tokens(value: JsonValue | undefined): number | null {
  return value === null ? null : number(value);
}

function time(value: JsonValue | undefined): number {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(ms) ? ms : 0;
}
