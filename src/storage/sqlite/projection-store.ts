import type { JsonObject } from '../../core/json.ts';
import type { ProjectionName } from '../../core/projection/projection.ts';
import type { EntityPosition } from '../../core/projection/projection-source.ts';
import type {
  Checkpoint,
  ProjectionStore,
  SinkHealth,
} from '../../core/projection/projection-store.ts';
import { MAX_PAGE_PROJECTIONS } from '../projection-rules.ts';
import { parseJsonText } from './json-text.ts';
import type { PortDeps } from './port-deps.ts';
import { allRows, getRow } from './rows.ts';

interface CheckpointRow {
  readonly projection: ProjectionName;
  readonly entity_id: string;
  readonly revision: number;
  readonly seq: number;
  readonly version: string;
  readonly summary_hash: string;
  readonly projected_at_ms: number;
  readonly is_open: number;
  readonly state: string;
}

interface WriterRow {
  readonly owner: string;
  readonly expires_at_ms: number;
  readonly failures: number;
  readonly error: string | null;
  readonly failed_at_ms: number | null;
}

interface WorkerRow {
  readonly id: string;
  readonly latest_seq: number;
  readonly created_at_ms: number;
}

export function createProjectionStore({ db, read, writer, nowMs }: PortDeps): ProjectionStore {
  const select = db.prepare('SELECT * FROM projections WHERE projection = ? AND entity_id = ?');
  const selectOpen = db.prepare(`
    SELECT * FROM projections WHERE projection = ? AND is_open = 1 AND entity_id > ?
    ORDER BY entity_id LIMIT ?`);
  const selectWorkers = db.prepare(
    'SELECT id, latest_seq, created_at_ms FROM workers WHERE id > ? ORDER BY id LIMIT ?',
  );
  const selectWriter = db.prepare('SELECT * FROM projection_writer');

  function find(projection: ProjectionName, id: string): Checkpoint | undefined {
    const row = getRow<CheckpointRow>(select, projection, id);
    return row && toCheckpoint(row);
  }

  return {
    find: ({ projection, id }) => read(() => find(projection, id)),
    findMany: (projection, ids) =>
      read(() => ids.map((id) => find(projection, id)).filter((found) => found !== undefined)),
    put: (checkpoint, expectedRevision) =>
      writer.submit('putCheckpoint', checkpoint, expectedRevision),
    listOpen: ({ projection, after = '', limit }) =>
      read(() =>
        allRows<CheckpointRow>(selectOpen, projection, after, clamp(limit)).map(toCheckpoint),
      ),
    listWorkers: ({ after = '', limit }) =>
      read(() => allRows<WorkerRow>(selectWorkers, after, clamp(limit)).map(toPosition)),
    holdWriter: (owner, leaseMs) => writer.submit('holdProjectionWriter', owner, leaseMs),
    releaseWriter: (owner) => writer.submit('releaseProjectionWriter', owner),
    reportHealth: (report) => writer.submit('reportProjectionHealth', report),
    readHealth: () => read(() => toHealth(getRow<WriterRow>(selectWriter), nowMs())),
  };
}

/** A negative limit means none to SQLite. */
function clamp(limit: number): number {
  return Math.max(0, Math.min(Math.trunc(limit), MAX_PAGE_PROJECTIONS));
}

function toCheckpoint(row: CheckpointRow): Checkpoint {
  return {
    projection: row.projection,
    id: row.entity_id,
    revision: row.revision,
    seq: row.seq,
    version: row.version,
    summaryHash: row.summary_hash,
    projectedAtMs: row.projected_at_ms,
    isOpen: row.is_open === 1,
    state: JSON.parse(row.state) as JsonObject,
  };
}

function toPosition(row: WorkerRow): EntityPosition {
  return { id: row.id, latestSeq: row.latest_seq, createdAtMs: row.created_at_ms };
}

function toHealth(row: WriterRow | undefined, nowMs: number): SinkHealth {
  return {
    failures: row?.failures ?? 0,
    error: parseJsonText(row?.error ?? null),
    failedAtMs: row?.failed_at_ms ?? undefined,
    writer: row !== undefined && row.expires_at_ms > nowMs ? row.owner : undefined,
  };
}
