import type { JsonObject } from '../json.ts';
import type { ProjectedEntity, ProjectionName } from './projection.ts';
import type { EntityPosition, ListPage } from './projection-source.ts';

/** How far each run and worker has been projected to the sink, and who may write there. */
export interface ProjectionStore {
  find(entity: ProjectedEntity): Promise<Checkpoint | undefined>;

  /** Those of them that have one, in any order. */
  findMany(projection: ProjectionName, ids: readonly string[]): Promise<Checkpoint[]>;

  /** False when the stored one has another revision by now: somebody else has written. 0: there must be none. */
  put(checkpoint: NewCheckpoint, expectedRevision: number): Promise<boolean>;

  /** Of entities that may still move, in the order of their ids. */
  listOpen(page: OpenPage): Promise<Checkpoint[]>;

  /** All workers in the order of their ids; their own port only lists those of one owner. */
  listWorkers(page: ListPage): Promise<EntityPosition[]>;

  /**
   * Makes the owner the one who writes, for so long, unless another one is. Two who write at once could leave an older
   * summary over a newer one.
   */
  holdWriter(owner: string, leaseMs: number): Promise<boolean>;
  /** Lets another one write at once. */
  releaseWriter(owner: string): Promise<void>;

  /** How writing goes, for whoever looks; told by the one who writes. */
  reportHealth(health: SinkReport): Promise<void>;
  readHealth(): Promise<SinkHealth>;
}

export interface Checkpoint extends ProjectedEntity {
  readonly revision: number;
  /** The summary covers the log up to here. */
  readonly seq: number;
  readonly version: string;
  readonly summaryHash: string;
  readonly projectedAtMs: number;
  readonly isOpen: boolean;
  /** The fold up to `seq`, so that going on costs only what is new. */
  readonly state: JsonObject;
}

export type NewCheckpoint = Omit<Checkpoint, 'revision'>;

interface OpenPage {
  readonly projection: ProjectionName;
  /** The id of the last one of the page before. */
  readonly after?: string;
  readonly limit: number;
}

export interface SinkReport {
  /** Passes in a row that something could not be written in. */
  readonly failures: number;
  readonly error: string | undefined;
}

export interface SinkHealth extends SinkReport {
  readonly failedAtMs: number | undefined;
  /** Undefined when nobody writes now. */
  readonly writer: string | undefined;
}
