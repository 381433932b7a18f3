import { defined } from '../defined.ts';
import { RuntimeError, toRuntimeError } from '../errors.ts';
import type { Drift } from './decide-projection.ts';
import { type ProjectEntityDeps, projectEntity } from './project-entity.ts';
import { type ProjectionName, toDocumentId } from './projection.ts';
import type { ProjectionSource } from './projection-source.ts';

const PAGE_SIZE = 200;
const MAX_LISTED = 100;
/** So many in a row: the sink is gone, and the rest would only fail as well. */
const MAX_FAILURES_IN_A_ROW = 3;

export interface RebuildDeps extends ProjectEntityDeps {
  readonly sources: readonly ProjectionSource[];
  readonly signal?: AbortSignal;
  onProgress?(done: number): void;
}

/** One entity, or everything there is. */
export type RebuildRequest =
  | { readonly projection: ProjectionName; readonly id: string }
  | 'everything';

export interface RebuildReport {
  readonly written: number;
  readonly failed: number;
  readonly drifted: number;
  /** The first ones. */
  readonly drifts: readonly { readonly documentId: string; readonly drift: Drift }[];
  readonly failures: readonly { readonly documentId: string; readonly message: string }[];
  /** False when it was given up or stopped. */
  readonly isComplete: boolean;
}

interface Tally {
  written: number;
  drifted: number;
  failed: number;
  inARow: number;
  readonly drifts: { readonly documentId: string; readonly drift: Drift }[];
  readonly failures: { readonly documentId: string; readonly message: string }[];
}

/**
 * Makes documents again from the log, whatever was written before, and says where that did not fit the log. Throws
 * `not_found` for one entity that does not exist.
 */
export async function rebuildProjection(
  deps: RebuildDeps,
  request: RebuildRequest,
): Promise<RebuildReport> {
  const tally: Tally = { written: 0, drifted: 0, failed: 0, inARow: 0, drifts: [], failures: [] };
  const isComplete =
    request === 'everything'
      ? await rebuildAll(deps, tally)
      : await rebuildOne(deps, tally, request);
  const { written, drifted, failed, drifts, failures } = tally;
  return { written, drifted, failed, drifts, failures, isComplete };
}

async function rebuildAll(deps: RebuildDeps, tally: Tally): Promise<boolean> {
  for (const source of deps.sources) {
    let after: string | undefined;
    do {
      const page = await source.list({ limit: PAGE_SIZE, ...defined({ after }) });
      for (const { id } of page.positions) {
        if (deps.signal?.aborted || tally.inARow >= MAX_FAILURES_IN_A_ROW) return false;
        await rebuild(deps, tally, { source, id });
        deps.onProgress?.(tally.written + tally.failed);
      }
      after = page.next;
    } while (after !== undefined);
  }
  return true;
}

async function rebuildOne(
  deps: RebuildDeps,
  tally: Tally,
  { projection, id }: Exclude<RebuildRequest, 'everything'>,
): Promise<boolean> {
  const source = deps.sources.find((one) => one.projection === projection);
  const isThere = source !== undefined && (await rebuild(deps, tally, { source, id }));
  if (!isThere) {
    const thing = projection === 'run_summary' ? 'run' : 'worker';
    throw new RuntimeError('not_found', `${thing} ${id} does not exist`, { details: { thing } });
  }
  return true;
}

async function rebuild(
  deps: RebuildDeps,
  tally: Tally,
  { source, id }: { readonly source: ProjectionSource; readonly id: string },
): Promise<boolean> {
  const documentId = toDocumentId({ projection: source.projection, id });
  try {
    const result = await projectEntity(deps, { source, id, isRebuild: true });
    if (result.outcome === 'missing') return false;
    tally.written += 1;
    tally.inARow = 0;
    if (result.drift === undefined) return true;
    tally.drifted += 1;
    if (tally.drifts.length < MAX_LISTED) tally.drifts.push({ documentId, drift: result.drift });
  } catch (thrown) {
    const { message } = toRuntimeError(thrown);
    tally.failed += 1;
    tally.inARow += 1;
    if (tally.failures.length < MAX_LISTED) tally.failures.push({ documentId, message });
  }
  return true;
}
