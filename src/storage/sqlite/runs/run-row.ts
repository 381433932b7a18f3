import type { AgentId, RunId, SessionId } from '../../../core/ids.ts';
import { OPERATOR } from '../../../core/principal.ts';
import {
  NO_TOTALS,
  type Run,
  type RunFault,
  type RunStatus,
  type RunThread,
  type StopReason,
} from '../../../core/runs/run.ts';
import type { NewRun } from '../../../core/runs/run-store.ts';
import { parseStatus, unreadableRun } from '../../../core/runs/unreadable.ts';
import { decodeForkPoint } from '../../fork-column.ts';
import { decodeOwner } from '../../owner-column.ts';
import { newestPartOf } from './log-parts.ts';
import type { RunHead } from './run-heads.ts';

/** What a Run is made of. An open run's end is that of its log; an ended one's is in its row. */
export const SELECT_RUN = `
  SELECT
    runs.*, run_texts.message, run_texts.output,
    coalesce(final_seq, (SELECT max(seq) FROM events WHERE part_no = ${newestPartOf('runs.no')}), 0) AS last_seq,
    coalesce(
      ended_at_ms,
      (SELECT at_ms FROM events WHERE part_no = ${newestPartOf('runs.no')} ORDER BY seq DESC LIMIT 1),
      created_at_ms
    ) AS updated_at_ms
  FROM runs JOIN run_texts ON run_texts.run_no = runs.no`;

/** A page is read on the event loop in one go. */
export const MAX_PAGE_RUNS = 500;

/** When the run of a cursor was created; throws for a cursor that is no run. */
export type FindPosition = (cursor: RunId) => number;

export interface RunRow {
  readonly no: number;
  readonly id: RunId;
  readonly agent_id: AgentId;
  readonly owner: string | null;
  readonly session_id: SessionId | null;
  readonly project_id: string | null;
  readonly exchange: number | null;
  readonly thread_id: string | null;
  readonly stays_open: number;
  readonly forked_from: string | null;
  readonly source: string;
  readonly status: RunStatus;
  readonly message: string;
  readonly last_seq: number;
  readonly output: string | null;
  readonly stop_reason: StopReason | null;
  readonly error: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly turns: number;
  readonly tool_calls: number;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cost_usd: number | null;
  readonly created_at_ms: number;
  readonly started_at_ms: number | null;
  readonly updated_at_ms: number;
  readonly ended_at_ms: number | null;
  readonly lease_id: string | null;
  readonly cancel_requested: number;
  readonly parked: number;
  readonly audited_seq: number;
  readonly bundled: number;
}

/** Throws an error that names the run when its row is damaged. */
export function toRun(row: RunRow): Run {
  try {
    return decodeRun(row);
  } catch (cause) {
    throw unreadableRun(row.id, cause);
  }
}

function decodeRun(row: RunRow): Run {
  return {
    id: row.id,
    agentId: row.agent_id,
    owner: decodeOwner(row.owner),
    sessionId: row.session_id ?? undefined,
    projectId: row.project_id ?? undefined,
    exchange: row.exchange ?? undefined,
    thread: toThread(row),
    forkedFrom: decodeForkPoint(row.forked_from),
    source: row.source,
    status: parseStatus(row.status),
    message: parseText(row.message) ?? '',
    lastSeq: row.last_seq,
    output: parseText(row.output),
    stopReason: row.stop_reason ?? undefined,
    error: row.error === null ? undefined : (JSON.parse(row.error) as RunFault),
    provider: parseText(row.provider),
    model: parseText(row.model),
    totals: {
      turns: row.turns,
      toolCalls: row.tool_calls,
      inputTokens: row.input_tokens,
      outputTokens: row.output_tokens,
      costUsd: row.cost_usd,
    },
    createdAtMs: row.created_at_ms,
    startedAtMs: row.started_at_ms ?? undefined,
    updatedAtMs: row.updated_at_ms,
    endedAtMs: row.ended_at_ms ?? undefined,
  };
}

/** A run as its row would read right after it was created. */
export function newRun(run: NewRun, { status, lastSeq, session }: RunHead, nowMs: number): Run {
  return {
    id: run.id,
    agentId: run.agentId,
    owner: run.owner ?? OPERATOR,
    sessionId: run.sessionId,
    projectId: run.projectId,
    exchange: session?.exchange,
    thread: run.thread,
    forkedFrom: run.forkedFrom,
    source: run.source,
    status,
    message: run.message,
    lastSeq,
    output: undefined,
    stopReason: undefined,
    error: undefined,
    provider: undefined,
    model: undefined,
    totals: NO_TOTALS,
    createdAtMs: nowMs,
    startedAtMs: status === 'running' ? nowMs : undefined,
    updatedAtMs: nowMs,
    endedAtMs: undefined,
  };
}

function toThread({ thread_id, stays_open }: RunRow): RunThread | undefined {
  const id = parseText(thread_id);
  return id === undefined ? undefined : { id, staysOpen: stays_open === 1 };
}

function parseText(json: string | null): string | undefined {
  return json === null ? undefined : (JSON.parse(json) as string);
}
