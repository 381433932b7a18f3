import type { WorkerId } from '../ids.ts';
import type { JsonObject } from '../json.ts';

/** A coding worker that a principal has attached: a session with something that answers JSON-RPC requests. */
export interface Worker {
  readonly id: WorkerId;
  /** As `toOwner` writes it. */
  readonly owner: string;
  readonly adapter: AdapterName;
  /** Which of the configured programs it is; undefined where the adapter starts none. */
  readonly command: string | undefined;
  readonly workspaceRef: string | undefined;
  readonly codexHomeRef: string | undefined;
  readonly metadata: JsonObject;
  readonly status: WorkerStatus;
  readonly latestSeq: number;
  /** Requests it was given so far. */
  readonly requestCount: number;
  /** Counts attachments: what belongs to an earlier one can't speak for this one. */
  readonly epoch: number;
  /** What holds it, when it would die with the server that attached it. */
  readonly host: WorkerHostClaim | undefined;
  readonly createdAtMs: number;
  readonly startedAtMs: number | undefined;
  readonly stoppedAtMs: number | undefined;
  readonly lastHeartbeatAtMs: number | undefined;
  readonly updatedAtMs: number;
}

interface WorkerHostClaim {
  /** One start of one server. */
  readonly id: string;
  /** Not renewed until then, the server is gone, and the worker with it. */
  readonly expiresAtMs: number;
  /** Tells its process from others that got the same number later. */
  readonly processMark: string | undefined;
}

export const ADAPTER_NAMES = ['in_memory', 'process'] as const;
export type AdapterName = (typeof ADAPTER_NAMES)[number];

export const WORKER_STATUSES = ['starting', 'running', 'stopping', 'stopped', 'failed'] as const;
export type WorkerStatus = (typeof WORKER_STATUSES)[number];

export const WORKER_ID_PATTERN = /^[A-Za-z0-9._:-]{3,160}$/;

/** Whether it is attached, or about to be or to end. */
export function isLive(status: WorkerStatus): boolean {
  return status !== 'stopped' && status !== 'failed';
}

/** A fact of a worker, numbered from 1 without gaps. */
export interface WorkerEvent {
  readonly workerId: WorkerId;
  readonly seq: number;
  readonly type: WorkerEventType;
  readonly payload: JsonObject;
  readonly atMs: number;
}

export type WorkerEventType = `worker.${string}`;

export interface WorkerDraft {
  readonly type: WorkerEventType;
  readonly payload: JsonObject;
}

type HeartbeatState = 'fresh' | 'stale' | 'missing' | 'stopped' | 'failed';

export interface Heartbeat {
  readonly state: HeartbeatState;
  readonly ageMs: number | undefined;
}

export function readHeartbeat(worker: Worker, nowMs: number, staleAfterMs: number): Heartbeat {
  const { status, lastHeartbeatAtMs } = worker;
  // Two clocks: the store's wrote it, ours reads it.
  const ageMs =
    lastHeartbeatAtMs === undefined ? undefined : Math.max(0, nowMs - lastHeartbeatAtMs);
  if (status === 'stopped' || status === 'failed') return { state: status, ageMs };
  if (ageMs === undefined) return { state: 'missing', ageMs };
  return { state: ageMs > staleAfterMs ? 'stale' : 'fresh', ageMs };
}
