import { z } from 'zod';
import { toIso } from '../clock.ts';
import type { Event } from '../events/event.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { addTokens } from '../loop/answers/spent-tokens.ts';
import type { Run } from '../runs/run.ts';
import { PROJECTION_VERSION, toDocumentId } from './projection.ts';
import { toOwnerFields } from './summary-owner.ts';

const MAX_REASON_CHARS = 500;

const instant = z.number().nullable();

/** What the summary of a run needs to know of the events so far. */
export const runFoldSchema = z.object({
  seq: z.number(),
  firstSeq: z.number(),
  status: z.enum(['created', 'running', 'canceling', 'succeeded', 'failed', 'canceled']),
  latestType: z.string(),
  latestAtMs: z.number(),
  startedAtMs: instant,
  endedAtMs: instant,
  stopReason: z.string().nullable(),
  reason: z.string().nullable(),
  turns: z.number(),
  toolCalls: z.number(),
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  /** Null as soon as one turn's price is unknown. */
  costUsd: z.number().nullable(),
});

export type RunFold = z.infer<typeof runFoldSchema>;

export const RUN_FOLD_START: RunFold = {
  seq: 0,
  firstSeq: 0,
  status: 'created',
  latestType: '',
  latestAtMs: 0,
  startedAtMs: null,
  endedAtMs: null,
  stopReason: null,
  reason: null,
  turns: 0,
  toolCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
};

export function applyRunEvent(state: RunFold, event: Event): RunFold {
  const next = {
    ...state,
    seq: event.seq,
    firstSeq: state.firstSeq === 0 ? event.seq : state.firstSeq,
    latestType: event.type,
    latestAtMs: event.atMs,
  };
  switch (event.type) {
    case 'run.started':
      return { ...next, status: 'running', startedAtMs: event.atMs };
    case 'run.cancel_requested':
      return { ...next, status: 'canceling' };
    case 'model.completed':
      return { ...next, ...spend(state, event.payload), turns: state.turns + 1 };
    case 'model.failed':
      return { ...next, ...spend(state, event.payload) };
    case 'tool.result':
      return { ...next, toolCalls: state.toolCalls + 1 };
    case 'run.completed':
      return end(next, 'succeeded', event);
    case 'run.failed':
      return end(next, 'failed', event);
    case 'run.cancelled':
      return end(next, 'canceled', event);
    case 'run.created':
    case 'run.recovered':
    case 'frame.accepted':
    case 'frame.ignored':
    case 'model.requested':
    case 'model.delta':
    case 'agent.noted':
    case 'tool.call':
    case 'policy.decision':
      return next;
  }
}

function spend(state: RunFold, payload: JsonObject) {
  const usage = isJsonObject(payload['usage']) ? payload['usage'] : {};
  const cost = payload['cost_usd'];
  return {
    inputTokens: addTokens(state.inputTokens, usage['input_tokens']),
    outputTokens: addTokens(state.outputTokens, usage['output_tokens']),
    costUsd: typeof cost === 'number' && state.costUsd !== null ? state.costUsd + cost : null,
  };
}

/** The end carries the sums; a run that nobody had claimed ends without them. */
function end(state: RunFold, status: RunFold['status'], { payload, atMs }: Event): RunFold {
  const { usage, error } = payload;
  const fault = isJsonObject(error) ? text(error['message']) : undefined;
  const ended = {
    ...state,
    status,
    endedAtMs: atMs,
    stopReason: text(payload['stop_reason']) ?? null,
    reason: (fault ?? text(payload['reason']))?.slice(0, MAX_REASON_CHARS).toWellFormed() ?? null,
  };
  if (!isJsonObject(usage)) return ended;
  const cost = usage['cost_usd'];
  return {
    ...ended,
    turns: count(usage['turns']),
    toolCalls: count(usage['tool_calls']),
    inputTokens: addTokens(0, usage['input_tokens']),
    outputTokens: addTokens(0, usage['output_tokens']),
    costUsd: typeof cost === 'number' ? cost : null,
  };
}

/** What can change comes from the events alone, so that the same log makes the same summary. */
export function toRunSummary(run: Run, fold: RunFold): JsonObject {
  const state = fold.firstSeq > 1 ? fillFromRow(run, fold) : fold;
  return {
    document_id: toDocumentId({ projection: 'run_summary', id: run.id }),
    kind: 'run_summary',
    run_id: run.id,
    thread_id: run.thread?.id ?? null,
    ...toOwnerFields(run.owner),
    agent_id: run.agentId,
    source: run.source,
    status: state.status,
    latest_seq: state.seq,
    event_count: state.seq,
    latest_event_type: state.latestType,
    latest_event_at: toIso(state.latestAtMs),
    usage: {
      turns: state.turns,
      tool_calls: state.toolCalls,
      input_tokens: state.inputTokens,
      output_tokens: state.outputTokens,
      cost_usd: state.costUsd,
    },
    created_at: toIso(run.createdAtMs),
    started_at: isoOrNull(state.startedAtMs),
    updated_at: toIso(state.latestAtMs),
    terminal_reason_class: state.stopReason,
    terminal_reason: state.reason,
    terminal_at: isoOrNull(state.endedAtMs),
    runtime_source: { entity: 'run', run_id: run.id, seq: state.seq },
    projection_version: PROJECTION_VERSION,
  };
}

/** Only the log of a run that has ended is ever cut, and its row holds what the lost events said. */
function fillFromRow({ startedAtMs, totals }: Run, fold: RunFold): RunFold {
  return { ...fold, ...totals, startedAtMs: startedAtMs ?? null };
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : toIso(ms);
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function count(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}
