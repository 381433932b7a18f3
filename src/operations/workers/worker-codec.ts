import { toIso } from '../../core/clock.ts';
import type { WorkerId } from '../../core/ids.ts';
import type { WorkerOversight } from '../../core/workers/oversee-workers.ts';
import { WORKER_ID_PATTERN, type Worker } from '../../core/workers/worker.ts';
import { decodeCursor } from '../cursor.ts';
import type { WorkerShape } from './worker-shapes.ts';

export function decodeWorkerCursor(cursor: string): WorkerId {
  return decodeCursor(cursor, (place) => WORKER_ID_PATTERN.test(place)) as WorkerId;
}

export function encodeWorker(
  worker: Worker,
  workers: Pick<WorkerOversight, 'heartbeat'>,
): WorkerShape {
  const heartbeat = workers.heartbeat(worker);
  return {
    worker_id: worker.id,
    owner: worker.owner,
    status: worker.status,
    adapter: worker.adapter,
    command: worker.command ?? null,
    workspace_ref: worker.workspaceRef ?? null,
    requests_count: worker.requestCount,
    latest_seq: worker.latestSeq,
    heartbeat_state: heartbeat.state,
    heartbeat_age_ms: heartbeat.ageMs ?? null,
    heartbeat_stale_after_ms: heartbeat.staleAfterMs,
    last_heartbeat_at: toDate(worker.lastHeartbeatAtMs),
    started_at: toDate(worker.startedAtMs),
    stopped_at: toDate(worker.stoppedAtMs),
    updated_at: toIso(worker.updatedAtMs),
  };
}

function toDate(atMs: number | undefined): string | null {
  return atMs === undefined ? null : toIso(atMs);
}
