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
import { bulkInsert, bulkUpdate, type Column, names } from '../bulk.ts';
import { decodeText, encodeText } from '../text-codec.ts';

export interface StoredWorker {
  readonly id: string;
  readonly owner: string;
  readonly adapter: string;
  readonly command: string | null;
  readonly workspace_ref: string | null;
  readonly codex_home_ref: string | null;
  readonly metadata: string;
  readonly status: string;
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

const encodeOptional = (text: string | undefined) =>
  text === undefined ? undefined : encodeText(text);
const decodeOptional = (text: string | null) => (text === null ? undefined : decodeText(text));

const COLUMNS: readonly Column<Worker>[] = [
  ['id', 'text', (worker) => worker.id],
  ['owner', 'text', (worker) => encodeText(worker.owner)],
  ['adapter', 'text', (worker) => worker.adapter],
  ['command', 'text', (worker) => worker.command],
  ['workspace_ref', 'text', (worker) => encodeOptional(worker.workspaceRef)],
  ['codex_home_ref', 'text', (worker) => encodeOptional(worker.codexHomeRef)],
  ['metadata', 'text', (worker) => JSON.stringify(worker.metadata)],
  ['status', 'text', (worker) => worker.status],
  ['latest_seq', 'bigint', (worker) => worker.latestSeq],
  ['request_count', 'bigint', (worker) => worker.requestCount],
  ['epoch', 'bigint', (worker) => worker.epoch],
  ['host', 'text', (worker) => worker.host?.id],
  ['host_expires_at_ms', 'bigint', (worker) => worker.host?.expiresAtMs],
  ['process_mark', 'text', (worker) => worker.host?.processMark],
  ['created_at_ms', 'bigint', (worker) => worker.createdAtMs],
  ['started_at_ms', 'bigint', (worker) => worker.startedAtMs],
  ['stopped_at_ms', 'bigint', (worker) => worker.stoppedAtMs],
  ['last_heartbeat_at_ms', 'bigint', (worker) => worker.lastHeartbeatAtMs],
  ['updated_at_ms', 'bigint', (worker) => worker.updatedAtMs],
];

export const WORKER_COLUMNS = names(COLUMNS);
export const INSERT_WORKERS = bulkInsert('workers', COLUMNS);
export const UPDATE_WORKERS = bulkUpdate('workers', COLUMNS);

export function decodeWorker(stored: StoredWorker): Worker {
  return {
    id: stored.id as WorkerId,
    owner: decodeText(stored.owner),
    adapter: stored.adapter as AdapterName,
    command: stored.command ?? undefined,
    workspaceRef: decodeOptional(stored.workspace_ref),
    codexHomeRef: decodeOptional(stored.codex_home_ref),
    metadata: JSON.parse(stored.metadata) as JsonObject,
    status: stored.status as WorkerStatus,
    latestSeq: stored.latest_seq,
    requestCount: stored.request_count,
    epoch: stored.epoch,
    host:
      stored.host === null
        ? undefined
        : {
            id: stored.host,
            expiresAtMs: stored.host_expires_at_ms ?? 0,
            processMark: stored.process_mark ?? undefined,
          },
    createdAtMs: stored.created_at_ms,
    startedAtMs: stored.started_at_ms ?? undefined,
    stoppedAtMs: stored.stopped_at_ms ?? undefined,
    lastHeartbeatAtMs: stored.last_heartbeat_at_ms ?? undefined,
    updatedAtMs: stored.updated_at_ms,
  };
}

export interface StoredWorkerEvent {
  readonly seq: number;
  readonly type: string;
  readonly payload: string;
  readonly at_ms: number;
}

export const INSERT_WORKER_EVENTS = bulkInsert<WorkerEvent>('worker_events', [
  ['worker_id', 'text', (event) => event.workerId],
  ['seq', 'bigint', (event) => event.seq],
  ['type', 'text', (event) => encodeText(event.type)],
  ['payload', 'text', (event) => JSON.stringify(event.payload)],
  ['at_ms', 'bigint', (event) => event.atMs],
]);

export function decodeWorkerEvent(workerId: WorkerId, stored: StoredWorkerEvent): WorkerEvent {
  return {
    workerId,
    seq: stored.seq,
    type: decodeText(stored.type) as WorkerEventType,
    payload: JSON.parse(stored.payload) as JsonObject,
    atMs: stored.at_ms,
  };
}

export interface StoredRequestRow {
  readonly request_id: string;
  readonly digest: string;
  readonly response: string | null;
}

export function decodeRequest(workerId: WorkerId, stored: StoredRequestRow): StoredRequest {
  return {
    workerId,
    requestId: decodeText(stored.request_id),
    digest: stored.digest,
    response: stored.response === null ? undefined : (JSON.parse(stored.response) as RpcResponse),
  };
}
