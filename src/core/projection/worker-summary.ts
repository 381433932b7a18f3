import { z } from 'zod';
import { toIso } from '../clock.ts';
import type { JsonObject } from '../json.ts';
import { WORKER_STATUSES, type Worker, type WorkerEvent } from '../workers/worker.ts';
import { PROJECTION_VERSION, toDocumentId } from './projection.ts';
import { toOwnerFields } from './summary-owner.ts';

/** What the summary of a worker needs to know of the events so far. */
export const workerFoldSchema = z.object({
  seq: z.number(),
  firstSeq: z.number(),
  status: z.enum(WORKER_STATUSES),
  latestType: z.string(),
  latestAtMs: z.number(),
  startedAtMs: z.number().nullable(),
  stoppedAtMs: z.number().nullable(),
});

export type WorkerFold = z.infer<typeof workerFoldSchema>;

export const WORKER_FOLD_START: WorkerFold = {
  seq: 0,
  firstSeq: 0,
  status: 'starting',
  latestType: '',
  latestAtMs: 0,
  startedAtMs: null,
  stoppedAtMs: null,
};

export function applyWorkerEvent(state: WorkerFold, event: WorkerEvent): WorkerFold {
  // After a gap only what follows it can be told.
  const isNext = state.firstSeq !== 0 && event.seq === state.seq + 1;
  const next = {
    ...state,
    seq: event.seq,
    firstSeq: isNext ? state.firstSeq : event.seq,
    latestType: event.type,
    latestAtMs: event.atMs,
  };
  switch (event.type) {
    case 'worker.started':
      return { ...next, status: 'running', startedAtMs: event.atMs, stoppedAtMs: null };
    case 'worker.stopping':
      return { ...next, status: 'stopping' };
    case 'worker.stopped':
      return { ...next, status: 'stopped', stoppedAtMs: event.atMs };
    case 'worker.failed':
      return { ...next, status: 'failed', stoppedAtMs: event.atMs };
    default:
      return next;
  }
}

/** What can change comes from the events alone, so that the same log makes the same summary. */
export function toWorkerSummary(worker: Worker, fold: WorkerFold): JsonObject {
  const state = fold.firstSeq > 1 ? fillFromRow(worker, fold) : fold;
  return {
    document_id: toDocumentId({ projection: 'codex_worker_summary', id: worker.id }),
    kind: 'codex_worker_summary',
    worker_id: worker.id,
    ...toOwnerFields(worker.owner),
    workspace_ref: worker.workspaceRef ?? null,
    codex_home_ref: worker.codexHomeRef ?? null,
    adapter: worker.adapter,
    status: state.status,
    latest_seq: state.seq,
    event_count: state.seq,
    latest_event_type: state.latestType,
    latest_event_at: toIso(state.latestAtMs),
    started_at: isoOrNull(state.startedAtMs),
    stopped_at: isoOrNull(state.stoppedAtMs),
    // Every event is a sign of life.
    last_heartbeat_at: toIso(state.latestAtMs),
    updated_at: toIso(state.latestAtMs),
    runtime_source: { entity: 'codex_worker', worker_id: worker.id, seq: state.seq },
    projection_version: PROJECTION_VERSION,
  };
}

/** Old events of a worker are removed while it lives; what they said of its state is in its row. */
function fillFromRow({ status, startedAtMs, stoppedAtMs }: Worker, fold: WorkerFold): WorkerFold {
  return {
    ...fold,
    status,
    startedAtMs: startedAtMs ?? null,
    stoppedAtMs: stoppedAtMs ?? null,
  };
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : toIso(ms);
}
