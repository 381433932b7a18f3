import { defined } from '../defined.ts';
import { inParallel } from '../records/in-parallel.ts';
import { PROJECTION_VERSION } from './projection.ts';
import type { EntityPosition, ProjectionSource } from './projection-source.ts';
import type { Checkpoint, ProjectionStore } from './projection-store.ts';

const PAGE_SIZE = 200;
const PARALLEL_FINDS = 8;

export interface ScanDeps {
  readonly store: Pick<ProjectionStore, 'findMany' | 'listOpen'>;
  readonly source: ProjectionSource;
}

/** An entity and what was projected of it. */
export interface ScannedEntity {
  readonly position: EntityPosition;
  readonly checkpoint: Checkpoint | undefined;
}

/** Whether its summary has to be written, or nobody knows what was written. */
export function isBehind({ position, checkpoint }: ScannedEntity): boolean {
  if (position.latestSeq === 0) return false;
  if (checkpoint === undefined) return true;
  return checkpoint.seq < position.latestSeq || checkpoint.version !== PROJECTION_VERSION;
}

/**
 * Everything that may be behind, as pages of what there is. `sinceMs` is when somebody last saw that all entities which
 * are older have a checkpoint: of those only the ones that can still move are looked at.
 */
export async function* scanProjection(
  { store, source }: ScanDeps,
  sinceMs?: number,
): AsyncGenerator<readonly ScannedEntity[]> {
  let after: string | undefined;
  do {
    const page = await source.list({ limit: PAGE_SIZE, ...defined({ after }) });
    yield await withCheckpoints({ store, source }, page.positions);
    after = page.next;
    const oldestMs = page.positions.at(-1)?.createdAtMs;
    if (source.isNewestFirst && sinceMs !== undefined && (oldestMs ?? 0) < sinceMs) break;
  } while (after !== undefined);
  if (source.isNewestFirst && sinceMs !== undefined) yield* scanOpen({ store, source });
}

async function withCheckpoints(
  { store, source }: ScanDeps,
  positions: readonly EntityPosition[],
): Promise<ScannedEntity[]> {
  const ids = positions.map(({ id }) => id);
  const found = await store.findMany(source.projection, ids);
  const byId = new Map(found.map((checkpoint) => [checkpoint.id, checkpoint]));
  return positions.map((position) => ({ position, checkpoint: byId.get(position.id) }));
}

async function* scanOpen({ store, source }: ScanDeps): AsyncGenerator<readonly ScannedEntity[]> {
  const { projection } = source;
  let after: string | undefined;
  for (;;) {
    const page = await store.listOpen({
      projection,
      limit: PAGE_SIZE,
      ...defined({ after }),
    });
    const scanned: ScannedEntity[] = [];
    await inParallel(page, PARALLEL_FINDS, async (checkpoint) => {
      const position = await source.find(checkpoint.id);
      if (position !== undefined) scanned.push({ position, checkpoint });
    });
    yield scanned;
    after = page.at(-1)?.id;
    if (page.length < PAGE_SIZE || after === undefined) return;
  }
}
