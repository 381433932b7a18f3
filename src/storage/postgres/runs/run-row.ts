import { RuntimeError } from '../../../core/errors.ts';
import { CHAIN_ROOT } from '../../../core/events/hash-chain.ts';
import type { AgentId, JobId, LeaseId, RunId, SessionId } from '../../../core/ids.ts';
import { OPERATOR } from '../../../core/principal.ts';
import {
  type ForkPoint,
  isTerminal,
  NO_TOTALS,
  type Run,
  type RunFault,
  type RunStatus,
  type RunThread,
  type RunTotals,
  type StopReason,
} from '../../../core/runs/run.ts';
import type { NewRun } from '../../../core/runs/run-store.ts';
import { decodeForkPoint } from '../../fork-column.ts';
import { decodeOwner } from '../../owner-column.ts';
import { decodeText } from '../text-codec.ts';

/** A run while a transaction holds it: what the row says, changed in place, written back at the end. */
export interface RunRow {
  readonly id: RunId;
  readonly agentId: AgentId;
  readonly owner: string;
  readonly sessionId: SessionId | undefined;
  readonly projectId: string | undefined;
  /** Its place among the exchanges of its session. */
  readonly exchange: number | undefined;
  /** The job that fired it. */
  readonly jobId: JobId | undefined;
  readonly thread: RunThread | undefined;
  readonly forkedFrom: ForkPoint | undefined;
  readonly source: string;
  /** Undefined when it was not loaded: appends do not need it, and it may be long. */
  readonly message: string | undefined;
  readonly createdAtMs: number;
  status: RunStatus;
  lastSeq: number;
  lastHash: string;
  output: string | undefined;
  stopReason: StopReason | undefined;
  error: RunFault | undefined;
  provider: string | undefined;
  model: string | undefined;
  totals: RunTotals;
  startedAtMs: number | undefined;
  updatedAtMs: number;
  endedAtMs: number | undefined;
  lease: { id: LeaseId; owner: string; expiresAtMs: number } | undefined;
  cancelRequested: boolean;
  /** Set while it waits in the queue for its agent to wake up. */
  isHeld: boolean;
  /** Set while it waits for an answer and until its next claim, which then is neither a start nor a recovery. */
  parked: boolean;
  /** Whether it waits for nothing but its next frame. */
  awaitsFrames: boolean;
  frames: number;
  /** 0 when it has none. */
  lastFrameSeq: number;
  /** The node that writes its records. */
  recorder: string | undefined;
  auditedSeq: number;
  bundled: boolean;
}

/** As the driver delivers it; bigint columns are numbers. */
export interface StoredRun {
  readonly id: string;
  readonly agent_id: string;
  readonly owner: string | null;
  readonly session_id: string | null;
  readonly project_id: string | null;
  readonly exchange: number | null;
  readonly job_id: string | null;
  readonly thread_id: string | null;
  readonly stays_open: boolean;
  readonly forked_from: string | null;
  readonly source: string;
  readonly status: string;
  readonly message: string | null;
  readonly last_seq: number;
  readonly last_hash: string;
  readonly output: string | null;
  readonly stop_reason: string | null;
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
  readonly lease_owner: string | null;
  readonly lease_expires_at_ms: number | null;
  readonly cancel_requested: boolean;
  readonly is_held: boolean;
  readonly parked: boolean;
  readonly awaits_frames: boolean;
  readonly frames: number;
  readonly last_frame_seq: number;
  readonly recorder: string | null;
  readonly audited_seq: number;
  readonly bundled: boolean;
}

const SHORT_COLUMNS = [
  'id, agent_id, session_id, project_id, exchange, job_id, source, status, last_seq, last_hash',
  'stop_reason, error',
  'provider, model, turns, tool_calls, input_tokens, output_tokens, cost_usd',
  'created_at_ms, started_at_ms, updated_at_ms, ended_at_ms',
  'lease_id, lease_owner, lease_expires_at_ms, cancel_requested, is_held, parked, recorder, audited_seq, bundled',
  'thread_id, owner, stays_open, forked_from, awaits_frames, frames, last_frame_seq',
].join(', ');

export const RUN_COLUMNS = `${SHORT_COLUMNS}, message, output`;

/** The long texts only of the runs named by this parameter. */
export function runColumnsWithTextOf(parameter: string): string {
  const long = (column: string) =>
    `case when id = any(${parameter}) then ${column} end as ${column}`;
  return `${SHORT_COLUMNS}, ${long('message')}, ${long('output')}`;
}

export function decodeRun(stored: StoredRun): RunRow {
  return {
    id: stored.id as RunId,
    agentId: stored.agent_id as AgentId,
    owner: decodeOwner(stored.owner),
    sessionId: (stored.session_id ?? undefined) as SessionId | undefined,
    projectId: stored.project_id ?? undefined,
    exchange: stored.exchange ?? undefined,
    jobId: (stored.job_id ?? undefined) as JobId | undefined,
    thread: decodeThread(stored),
    forkedFrom: decodeForkPoint(stored.forked_from),
    source: stored.source,
    message: decodeOptional(stored.message),
    createdAtMs: stored.created_at_ms,
    status: stored.status as RunStatus,
    lastSeq: stored.last_seq,
    lastHash: stored.last_hash,
    output: decodeOptional(stored.output),
    stopReason: (stored.stop_reason ?? undefined) as StopReason | undefined,
    error: stored.error === null ? undefined : (JSON.parse(stored.error) as RunFault),
    provider: decodeOptional(stored.provider),
    model: decodeOptional(stored.model),
    totals: {
      turns: stored.turns,
      toolCalls: stored.tool_calls,
      inputTokens: stored.input_tokens,
      outputTokens: stored.output_tokens,
      costUsd: stored.cost_usd,
    },
    startedAtMs: stored.started_at_ms ?? undefined,
    updatedAtMs: stored.updated_at_ms,
    endedAtMs: stored.ended_at_ms ?? undefined,
    lease: decodeLease(stored),
    cancelRequested: stored.cancel_requested,
    isHeld: stored.is_held,
    parked: stored.parked,
    awaitsFrames: stored.awaits_frames,
    frames: stored.frames,
    lastFrameSeq: stored.last_frame_seq,
    recorder: stored.recorder ?? undefined,
    auditedSeq: stored.audited_seq,
    bundled: stored.bundled,
  };
}

/** Where a run comes from, beyond what its caller says. */
export interface RunOrigin {
  readonly exchange: number | undefined;
  readonly jobId: JobId | undefined;
  /** Whether its agent sleeps. */
  readonly isHeld?: boolean;
}

export function newRunRow(run: NewRun, origin: RunOrigin, nowMs: number): RunRow {
  return {
    id: run.id,
    agentId: run.agentId,
    owner: run.owner ?? OPERATOR,
    sessionId: run.sessionId,
    projectId: run.projectId,
    exchange: origin.exchange,
    jobId: origin.jobId,
    thread: run.thread,
    forkedFrom: run.forkedFrom,
    source: run.source,
    message: run.message,
    createdAtMs: nowMs,
    status: run.thread ? 'waiting' : 'queued',
    lastSeq: 0,
    lastHash: CHAIN_ROOT,
    output: undefined,
    stopReason: undefined,
    error: undefined,
    provider: undefined,
    model: undefined,
    totals: NO_TOTALS,
    startedAtMs: undefined,
    updatedAtMs: nowMs,
    endedAtMs: undefined,
    lease: undefined,
    cancelRequested: false,
    isHeld: origin.isHeld ?? false,
    parked: false,
    awaitsFrames: run.thread !== undefined,
    frames: 0,
    lastFrameSeq: 0,
    recorder: undefined,
    auditedSeq: 0,
    bundled: false,
  };
}

export function toRun(row: RunRow): Run {
  if (row.message === undefined) {
    throw new RuntimeError('internal', `run ${row.id} was loaded without its message`);
  }
  return {
    id: row.id,
    agentId: row.agentId,
    owner: row.owner,
    sessionId: row.sessionId,
    projectId: row.projectId,
    exchange: row.exchange,
    thread: row.thread,
    forkedFrom: row.forkedFrom,
    source: row.source,
    status: row.status,
    message: row.message,
    lastSeq: row.lastSeq,
    output: row.output,
    stopReason: row.stopReason,
    error: row.error,
    provider: row.provider,
    model: row.model,
    totals: row.totals,
    createdAtMs: row.createdAtMs,
    startedAtMs: row.startedAtMs,
    updatedAtMs: row.updatedAtMs,
    endedAtMs: row.endedAtMs,
  };
}

export function isEnded(row: RunRow): boolean {
  return isTerminal(row.status);
}

function decodeOptional(stored: string | null): string | undefined {
  return stored === null ? undefined : decodeText(stored);
}

function decodeThread(stored: StoredRun): RunThread | undefined {
  const id = decodeOptional(stored.thread_id);
  return id === undefined ? undefined : { id, staysOpen: stored.stays_open };
}

function decodeLease(stored: StoredRun): RunRow['lease'] {
  if (stored.lease_id === null || stored.lease_expires_at_ms === null) return undefined;
  return {
    id: stored.lease_id as LeaseId,
    owner: stored.lease_owner ?? '',
    expiresAtMs: stored.lease_expires_at_ms,
  };
}
