import type { WorkerId } from '../../../core/ids.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { RpcResponse } from '../../../core/workers/json-rpc.ts';
import type {
  AdapterName,
  Worker,
  WorkerEvent,
  WorkerEventType,
  WorkerStatus,
} from '../../../core/workers/worker.ts';
import type { StoredRequest } from '../../../core/workers/worker-store.ts';
import { parseJsonText, toJsonText } from '../json-text.ts';
import type { Bindable } from '../rows.ts';

/** A page is read in one go. */
export const MAX_PAGE_WORKERS = 200;
export const MAX_PAGE_WORKER_EVENTS = 1_000;

export interface WorkerRow {
  readonly no: number;
  readonly id: WorkerId;
  readonly owner: string;
  readonly adapter: AdapterName;
  readonly command: string | null;
  readonly workspace_ref: string | null;
  readonly codex_home_ref: string | null;
  readonly metadata: string;
  readonly status: WorkerStatus;
  readonly latest_seq: number;
  readonly request_count: number;
  readonly epoch: number;
  readonly host: string | null;
  readonly host_expires_at_ms: number | null;
  readonly process_mark: string | null;
  readonly created_at_ms: number;
  readonly started_at_ms: number | null;
  readonly stopped_at_ms: number | null;
  readonly last_heartbeat_at_ms: number | null;
  readonly updated_at_ms: number;
}

export function toWorker(row: WorkerRow): Worker {
  return {
    id: row.id,
    owner: parseJsonText(row.owner),
    adapter: row.adapter,
    command: row.command ?? undefined,
    workspaceRef: parseJsonText(row.workspace_ref),
    codexHomeRef: parseJsonText(row.codex_home_ref),
    metadata: JSON.parse(row.metadata) as JsonObject,
    status: row.status,
    latestSeq: row.latest_seq,
    requestCount: row.request_count,
    epoch: row.epoch,
    host:
      row.host === null
        ? undefined
        : {
            id: row.host,
            expiresAtMs: row.host_expires_at_ms ?? 0,
            processMark: row.process_mark ?? undefined,
          },
    createdAtMs: row.created_at_ms,
    startedAtMs: row.started_at_ms ?? undefined,
    stoppedAtMs: row.stopped_at_ms ?? undefined,
    lastHeartbeatAtMs: row.last_heartbeat_at_ms ?? undefined,
    updatedAtMs: row.updated_at_ms,
  };
}

/** All but the number, in this order. */
export const WORKER_COLUMNS = [
  'id',
  'owner',
  'adapter',
  'command',
  'workspace_ref',
  'codex_home_ref',
  'metadata',
  'status',
  'latest_seq',
  'request_count',
  'epoch',
  'host',
  'host_expires_at_ms',
  'process_mark',
  'created_at_ms',
  'started_at_ms',
  'stopped_at_ms',
  'last_heartbeat_at_ms',
  'updated_at_ms',
] as const;

export function toWorkerValues(worker: Worker): Bindable[] {
  const { host } = worker;
  return [
    worker.id,
    toJsonText(worker.owner),
    worker.adapter,
    worker.command ?? null,
    toJsonText(worker.workspaceRef),
    toJsonText(worker.codexHomeRef),
    JSON.stringify(worker.metadata),
    worker.status,
    worker.latestSeq,
    worker.requestCount,
    worker.epoch,
    host?.id ?? null,
    host?.expiresAtMs ?? null,
    host?.processMark ?? null,
    worker.createdAtMs,
    worker.startedAtMs ?? null,
    worker.stoppedAtMs ?? null,
    worker.lastHeartbeatAtMs ?? null,
    worker.updatedAtMs,
  ];
}

export interface WorkerEventRow {
  readonly seq: number;
  readonly type: string;
  readonly payload: string;
  readonly at_ms: number;
}

export function toWorkerEvent(workerId: WorkerId, row: WorkerEventRow): WorkerEvent {
  const payload = JSON.parse(row.payload) as JsonObject;
  return {
    workerId,
    seq: row.seq,
    type: parseJsonText(row.type) as WorkerEventType,
    payload,
    atMs: row.at_ms,
  };
}

export interface RequestRow {
  readonly request_id: string;
  readonly digest: string;
  readonly response: string | null;
}

export function toStoredRequest(workerId: WorkerId, row: RequestRow): StoredRequest {
  return {
    workerId,
    requestId: parseJsonText(row.request_id),
    digest: row.digest,
    response: row.response === null ? undefined : (JSON.parse(row.response) as RpcResponse),
  };
}
