import type { AgentId, LeaseId, RunId, SessionId } from '../ids.ts';

export const RUN_STATUSES = [
  'queued',
  'running',
  'waiting',
  'cancelling',
  'completed',
  'failed',
  'cancelled',
] as const;

/** `waiting` is an open run with no input pending: it is healthy and holds no lease. */
export type RunStatus = (typeof RUN_STATUSES)[number];
export type TerminalStatus = 'completed' | 'failed' | 'cancelled';

/** Why a run ended, for people and scripts that branch on it. */
export type StopReason =
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'timeout'
  | 'max_turns_reached'
  | 'max_budget_reached'
  | 'loop_detected'
  | 'needs_guidance'
  /** The model's answer was cut at its output limit. */
  | 'length'
  /** The provider did not let the answer go on. */
  | 'content_filter';

/** One durable execution over an input; the row is derived from its events and read where folding them is too slow. */
export interface Run {
  readonly id: RunId;
  readonly agentId: AgentId;
  /** Whom it acts for, in its tools too: `operator`, or a principal such as `user:42`. */
  readonly owner: string;
  readonly sessionId: SessionId | undefined;
  /** What its work counts for, in the words of whoever asked. */
  readonly projectId: string | undefined;
  /** Its place among the exchanges of its session. */
  readonly exchange: number | undefined;
  /** Set for a run that takes frames: `/internal/v1` made it. */
  readonly thread: RunThread | undefined;
  /** The event of another run that this one goes on from. */
  readonly forkedFrom: ForkPoint | undefined;
  /** The surface it came from: `http`, `cli`, `scheduler`, … */
  readonly source: string;
  readonly status: RunStatus;
  /** The message that started it, redacted as every stored text is. */
  readonly message: string;
  readonly lastSeq: number;
  readonly output: string | undefined;
  readonly stopReason: StopReason | undefined;
  readonly error: RunFault | undefined;
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly totals: RunTotals;
  readonly createdAtMs: number;
  readonly startedAtMs: number | undefined;
  readonly updatedAtMs: number;
  readonly endedAtMs: number | undefined;
}

/** The conversation of a product that a run belongs to, and whether it outlives its answers. */
export interface RunThread {
  /** The product's own name for the conversation. */
  readonly id: string;
  /** Waits for further frames after an answer, until one ends it or it is cancelled. */
  readonly staysOpen: boolean;
}

/** The last event of a run that its fork knows of. */
export interface ForkPoint {
  readonly runId: RunId;
  readonly seq: number;
}

export interface RunFault {
  readonly code: string;
  readonly message: string;
}

export interface RunTotals {
  readonly turns: number;
  readonly toolCalls: number;
  /** With those of turns that failed or were cancelled. Null as soon as one of them is unknown. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Null as soon as one turn's price is unknown: a sum with a hole in it is not a cost. */
  readonly costUsd: number | null;
}

export const NO_TOTALS: RunTotals = {
  turns: 0,
  toolCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
};

/** What a runner holds while it executes a run: a fenced claim that expires unless it is renewed. */
export interface Lease {
  readonly id: LeaseId;
  readonly runId: RunId;
  readonly expiresAtMs: number;
}

/** What a run's end adds to its row. */
export interface RunEnd {
  readonly status: TerminalStatus;
  readonly stopReason: StopReason;
  readonly output: string;
  readonly error?: RunFault;
  readonly totals: RunTotals;
  /** The run ends only when no frame after this `seq` is on record. Absent: it ends whatever has come. */
  readonly unlessFrameAfter?: number;
}

const TERMINAL: ReadonlySet<RunStatus> = new Set(['completed', 'failed', 'cancelled']);

export function isTerminal(status: RunStatus): status is TerminalStatus {
  return TERMINAL.has(status);
}

/** Whether it still goes on, or will. */
export function isOpen(status: RunStatus): boolean {
  return status !== 'cancelling' && !isTerminal(status);
}
