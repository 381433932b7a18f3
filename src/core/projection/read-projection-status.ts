import type { ProjectionName } from './projection.ts';
import type { ProjectionSource } from './projection-source.ts';
import type { ProjectionStore, SinkHealth } from './projection-store.ts';
import { isBehind, scanProjection } from './scan-projection.ts';

const MAX_LISTED = 20;

export interface ProjectionStatus {
  readonly projections: readonly ProjectionLag[];
  readonly health: SinkHealth;
}

export interface ProjectionLag {
  readonly projection: ProjectionName;
  /** Runs or workers that have events. */
  readonly entities: number;
  readonly inSync: number;
  readonly lagging: number;
  /** Events that the sink has yet to hear of. */
  readonly lagEvents: number;
  /** Projected further than the log goes, as after an older backup was restored; a rebuild mends it. */
  readonly ahead: number;
  readonly lastProjectedAtMs: number | undefined;
  /** The first ones. */
  readonly laggingIds: readonly string[];
}

export interface ProjectionStatusDeps {
  readonly sources: readonly ProjectionSource[];
  readonly store: Pick<ProjectionStore, 'findMany' | 'listOpen' | 'readHealth'>;
}

/** Looks at everything there is, page by page. */
export async function readProjectionStatus(deps: ProjectionStatusDeps): Promise<ProjectionStatus> {
  const projections: ProjectionLag[] = [];
  for (const source of deps.sources) projections.push(await readLag(deps, source));
  return { projections, health: await deps.store.readHealth() };
}

async function readLag(
  { store }: ProjectionStatusDeps,
  source: ProjectionSource,
): Promise<ProjectionLag> {
  const sum = { entities: 0, inSync: 0, lagging: 0, lagEvents: 0, ahead: 0 };
  const laggingIds: string[] = [];
  let lastProjectedAtMs: number | undefined;
  for await (const page of scanProjection({ store, source })) {
    for (const entity of page) {
      const { position, checkpoint } = entity;
      if (position.latestSeq === 0) continue;
      sum.entities += 1;
      const { projectedAtMs = lastProjectedAtMs, seq = 0 } = checkpoint ?? {};
      lastProjectedAtMs = Math.max(lastProjectedAtMs ?? 0, projectedAtMs ?? 0) || undefined;
      if (seq > position.latestSeq) sum.ahead += 1;
      else if (isBehind(entity)) {
        sum.lagging += 1;
        sum.lagEvents += position.latestSeq - seq;
        if (laggingIds.length < MAX_LISTED) laggingIds.push(position.id);
      } else sum.inSync += 1;
    }
  }
  return { projection: source.projection, ...sum, lastProjectedAtMs, laggingIds };
}
