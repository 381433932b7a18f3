import { toIso } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import type { NewsEvent } from '../../core/events/event.ts';
import type { AgentId, RunId, SessionId } from '../../core/ids.ts';
import { AGENTS_PATH } from '../../core/records/record-paths.ts';
import { encodeForkPoint } from '../../core/runs/fork-point.ts';
import type { Run, RunStatus } from '../../core/runs/run.ts';
import type { CancelResult, RunPage, RunSearch } from '../../core/runs/run-store.ts';
import type { RunTrace, TracedToolResult } from '../../core/runs/trace.ts';
import type { SteerReceipt } from '../../core/threads/steer-run.ts';
import { decodeIdCursor, encodeNext } from '../cursor.ts';
import type {
  CancelReceipt,
  ListRunsQuery,
  RunDetail,
  RunEvent,
  RunList,
  RunSummary,
  RunTraceShape,
  SteerReceiptShape,
  ToolResultShape,
} from './run-shapes.ts';

export function encodeRun(run: Run, trace: RunTrace): RunDetail {
  return { ...encodeRunSummary(run), trace: encodeTrace(trace) };
}

/** The page, or as much of it from the start as fits into one answer; the next page begins behind it. */
export function encodeRunPage(page: RunPage): RunList {
  const runs = takeFittingRuns(page.runs);
  const next = runs.length < page.runs.length ? runs.at(-1)?.id : page.next;
  return {
    runs: runs.map(encodeRunSummary),
    next_cursor: encodeNext(next),
    ...(page.unreadable === undefined ? {} : { unreadable_run_ids: [...page.unreadable] }),
  };
}

export function encodeCancelResult(result: CancelResult): CancelReceipt {
  const { run, recorded } = result;
  return {
    id: run.id,
    status: run.status,
    cancel_requested: recorded || run.status === 'cancelling' || run.status === 'cancelled',
    idempotent_replay: !recorded,
  };
}

export function encodeSteerReceipt({ run, seq, replayed }: SteerReceipt): SteerReceiptShape {
  return { id: run.id, ...defined({ seq }), idempotent_replay: replayed };
}

export function decodeRunCursor(cursor: string): RunId {
  return decodeIdCursor(cursor) as RunId;
}

export function decodeRunSearch(query: ListRunsQuery): RunSearch {
  const { agent_id: agentId, session_id: sessionId, limit, cursor, from, to } = query;
  const statuses = query.status?.split(',') as RunStatus[] | undefined;
  return {
    limit,
    ...defined({
      statuses: statuses && [...new Set(statuses)],
      agentId: agentId as AgentId | undefined,
      sessionId: sessionId as SessionId | undefined,
      projectId: query.project_id,
      source: query.source,
      text: query.q?.trim(),
      sinceMs: from === undefined ? undefined : Date.parse(from),
      untilMs: to === undefined ? undefined : Date.parse(to),
    }),
    ...(cursor === undefined ? {} : { before: decodeRunCursor(cursor) }),
  };
}

/** Fields of the contract keep its types while the run has nothing to put there yet: empty text, zero. */
export function encodeRunSummary(run: Run): RunSummary {
  return {
    id: run.id,
    agent_id: run.agentId,
    source: run.source,
    status: run.status,
    output: run.output ?? '',
    artifact_path: `${AGENTS_PATH}/${run.agentId}/runs/${run.id}`,
    duration_ms: durationOf(run),
    tool_calls: run.totals.toolCalls,
    provider: run.provider ?? '',
    model: run.model ?? '',
    message: run.message,
    ...defined({
      session_id: run.sessionId,
      project_id: run.projectId,
      forked_from: run.forkedFrom && encodeForkPoint(run.forkedFrom),
    }),
    ...(run.error === undefined
      ? {}
      : { error: { code: run.error.code, message: run.error.message } }),
    stop_reason: run.stopReason ?? null,
    usage: {
      input_tokens: run.totals.inputTokens,
      output_tokens: run.totals.outputTokens,
      cost_usd: run.totals.costUsd,
    },
    created_at: toIso(run.createdAtMs),
    updated_at: toIso(run.updatedAtMs),
    last_seq: run.lastSeq,
  };
}

/** Texts of one answer: 200 runs with the longest messages would be an answer of 50 MB. */
const MAX_ANSWER_CHARS = 4 * 1024 * 1024;

/** As many runs from the start as fit into one answer; at least one, so that paging always gets on. */
export function takeFittingRuns(runs: readonly Run[]): readonly Run[] {
  let chars = 0;
  const over = runs.findIndex((run, at) => {
    chars += run.message.length + (run.output?.length ?? 0);
    return at > 0 && chars > MAX_ANSWER_CHARS;
  });
  return over === -1 ? runs : runs.slice(0, over);
}

export function encodeTrace(trace: RunTrace): RunTraceShape {
  return {
    tool_execution_results: trace.toolResults.map(encodeToolResult),
    ...(trace.truncated ? { truncated: true } : {}),
  };
}

export function encodeEvent(event: NewsEvent): RunEvent {
  return { ...encodeFacts(event), payload: event.payload };
}

function encodeFacts(event: NewsEvent): Omit<RunEvent, 'payload'> {
  return {
    event_id: event.id,
    event_type: event.type,
    ts: toIso(event.atMs),
    run_id: event.runId,
    agent_id: event.agentId,
    seq: event.seq,
    actor: event.actor,
  };
}

/** The same as JSON. A payload that is at hand as it is stored is not parsed and written anew: it is JSON already. */
export function encodeEventText(event: NewsEvent): string {
  const { payloadText } = event;
  if (payloadText === undefined) return JSON.stringify(encodeEvent(event));
  return `${JSON.stringify(encodeFacts(event)).slice(0, -1)},"payload":${payloadText}}`;
}

function encodeToolResult(result: TracedToolResult): ToolResultShape {
  return {
    tool: result.tool,
    tool_call_id: result.callId,
    summary: result.summary,
    output: result.output,
    error: result.error,
    arguments: result.arguments,
    duration_ms: result.durationMs,
    ...(result.fromCache ? { from_cache: true } : {}),
  };
}

/** From start to end; of a run under way, to its latest event. */
function durationOf(run: Run): number {
  if (run.startedAtMs === undefined) return 0;
  return Math.max(0, (run.endedAtMs ?? run.updatedAtMs) - run.startedAtMs);
}
