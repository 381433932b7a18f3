import type { JsonObject } from '../json.ts';
import type { ProjectionName } from './projection.ts';

/** What is projected: the entities of one kind, and how a log of theirs becomes a summary. */
export interface ProjectionSource {
  readonly projection: ProjectionName;
  /** Whether a list is in the order of age, so that whoever knows the old ones need not read to its end. */
  readonly isNewestFirst: boolean;
  find(id: string): Promise<ProjectionSubject | undefined>;
  list(page: ListPage): Promise<PositionPage>;
  /** Calls with the id of whatever got events, as far as anybody tells. It must not do any work: an append waits. */
  watch(listener: (id: string) => void): () => void;
}

export interface ListPage {
  /** `next` of the page before. */
  readonly after?: string;
  readonly limit: number;
}

interface PositionPage {
  readonly positions: readonly EntityPosition[];
  readonly next: string | undefined;
}

/** How far the log of an entity went when it was looked up. */
export interface EntityPosition {
  readonly id: string;
  readonly latestSeq: number;
  readonly createdAtMs: number;
}

export interface ProjectionSubject extends EntityPosition {
  /** False once nothing more can happen to it. */
  readonly isOpen: boolean;
  /** Goes on from a fold that this made before, or from the beginning, up to and including `throughSeq`. */
  fold(from: JsonObject | undefined, throughSeq: number): Promise<Fold>;
}

export interface Fold {
  readonly seq: number;
  /** The first event that it has seen: above 1 when older ones are gone from the log. */
  readonly firstSeq: number;
  /** Everything that going on needs. */
  readonly state: JsonObject;
  /** Without the time of the projection. */
  readonly summary: JsonObject;
}
