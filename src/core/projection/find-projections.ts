import { PROJECTION_VERSION, type ProjectionName, toDocumentId } from './projection.ts';
import type { Checkpoint, ProjectionStore } from './projection-store.ts';

/** How well the sink keeps up with one entity. */
export interface ProjectionState {
  readonly documentId: string;
  readonly lastSeq: number;
  readonly lagEvents: number;
  readonly status: 'in_sync' | 'lagging';
  readonly version: string;
  readonly lastProjectedAtMs: number;
}

export interface ProjectedPosition {
  readonly id: string;
  readonly latestSeq: number;
}

/** By id; what was never projected is left out. */
export async function findProjections(
  store: Pick<ProjectionStore, 'findMany'>,
  projection: ProjectionName,
  positions: readonly ProjectedPosition[],
): Promise<ReadonlyMap<string, ProjectionState>> {
  if (positions.length === 0) return new Map();
  const ids = positions.map(({ id }) => id);
  const found = await store.findMany(projection, ids);
  const byId = new Map(found.map((checkpoint) => [checkpoint.id, checkpoint]));
  const states = new Map<string, ProjectionState>();
  for (const { id, latestSeq } of positions) {
    const checkpoint = byId.get(id);
    if (checkpoint !== undefined) states.set(id, toState(checkpoint, latestSeq));
  }
  return states;
}

function toState(checkpoint: Checkpoint, latestSeq: number): ProjectionState {
  const lagEvents = Math.max(0, latestSeq - checkpoint.seq);
  const isCurrent = lagEvents === 0 && checkpoint.version === PROJECTION_VERSION;
  return {
    documentId: toDocumentId(checkpoint),
    lastSeq: checkpoint.seq,
    lagEvents,
    status: isCurrent ? 'in_sync' : 'lagging',
    version: checkpoint.version,
    lastProjectedAtMs: checkpoint.projectedAtMs,
  };
}
