import { toIso } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import type { WorkerId } from '../../core/ids.ts';
import type { Principal } from '../../core/principal.ts';
import type { ProjectionState } from '../../core/projection/find-projections.ts';
import type { TraceContext } from '../../core/trace-context.ts';
import type { WorkerAnswer } from '../../core/workers/ask-worker.ts';
import type { AttachReceipt, AttachRequest } from '../../core/workers/attach-worker.ts';
import type { WorkerEndReceipt } from '../../core/workers/end-worker.ts';
import type { Worker, WorkerEvent } from '../../core/workers/worker.ts';
import type { Workers } from '../../core/workers/workers.ts';
import { encodeSseFrame } from '../http/streams/sse-frame.ts';
import type {
  CreateWorkerBody,
  ReportReceipt,
  StopReceipt,
  WorkerAnswerDocument,
  WorkerDocument,
  WorkerList,
  WorkerReceipt,
  WorkerStreamFrame,
} from './worker-schema.ts';

export function decodeAttach(body: CreateWorkerBody, principal: Principal): AttachRequest {
  return {
    principal,
    id: (body.worker_id ?? undefined) as WorkerId | undefined,
    adapter: body.adapter ?? undefined,
    command: body.command ?? undefined,
    workspaceRef: body.workspace_ref ?? undefined,
    codexHomeRef: body.codex_home_ref ?? undefined,
    metadata: body.metadata ?? undefined,
  };
}

export function encodeWorkerReceipt({ worker, replayed }: AttachReceipt): WorkerReceipt {
  const { id, status, latestSeq } = worker;
  return { data: { workerId: id, status, latestSeq, idempotentReplay: replayed } };
}

export function encodeWorker(worker: Worker, workers: Pick<Workers, 'heartbeat'>): WorkerDocument {
  const heartbeat = workers.heartbeat(worker);
  return {
    worker_id: worker.id,
    status: worker.status,
    latest_seq: worker.latestSeq,
    workspace_ref: worker.workspaceRef ?? null,
    codex_home_ref: worker.codexHomeRef ?? null,
    adapter: worker.adapter,
    command: worker.command ?? null,
    metadata: worker.metadata,
    started_at: toDate(worker.startedAtMs),
    stopped_at: toDate(worker.stoppedAtMs),
    updated_at: toIso(worker.updatedAtMs),
    last_heartbeat_at: toDate(worker.lastHeartbeatAtMs),
    heartbeat_state: heartbeat.state,
    heartbeat_age_ms: heartbeat.ageMs ?? null,
    heartbeat_stale_after_ms: heartbeat.staleAfterMs,
  };
}

export function encodeProjection(
  state: ProjectionState | undefined,
): WorkerList['data'][number]['convex_projection'] {
  if (state === undefined) return null;
  return {
    document_id: state.documentId,
    status: state.status,
    lag_events: state.lagEvents,
    last_runtime_seq: state.lastSeq,
    projection_version: state.version,
    last_projected_at: toIso(state.lastProjectedAtMs),
  };
}

export function encodeAnswer(id: WorkerId, answer: WorkerAnswer): WorkerAnswerDocument {
  const { requestId, isOk, response } = answer;
  return { data: { worker_id: id, request_id: requestId, ok: isOk, response } };
}

export function encodeStop({ worker, replayed }: WorkerEndReceipt): StopReceipt {
  const { id, status } = worker;
  return { data: { worker_id: id, status, idempotent_replay: replayed } };
}

export function encodeReported(event: WorkerEvent): ReportReceipt {
  const { workerId, seq, type, payload, atMs } = event;
  return {
    data: { worker_id: workerId, seq, event_type: type, payload, occurred_at: toIso(atMs) },
  };
}

export function encodeWorkerFrame(event: WorkerEvent): string {
  const { workerId, seq, type, payload, atMs } = event;
  const data: WorkerStreamFrame = {
    workerId,
    seq,
    eventType: type,
    payload,
    occurredAt: toIso(atMs),
  };
  return encodeSseFrame({ id: seq, event: 'codex.worker.event', data: JSON.stringify(data) });
}

/** As events carry it. */
export function encodeTrace({ traceparent, tracestate, requestId }: TraceContext) {
  return {
    ...defined({ traceparent, tracestate, request_id: requestId }),
  };
}

function toDate(ms: number | undefined): string | null {
  return ms === undefined ? null : toIso(ms);
}
