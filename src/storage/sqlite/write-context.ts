import type { RunId } from '../../core/ids.ts';
import type { Database } from './driver.ts';
import type { RunHeads } from './runs/run-heads.ts';

/** What a write sees of the batch it runs in. */
export interface WriteContext {
  readonly db: Database;
  readonly heads: RunHeads;
  /** The store's time; it stands still within a batch. */
  nowMs(): number;
  /** The run got events, up to this one: its readers are woken after commit. */
  touchRun(runId: RunId, lastSeq: number): void;
  /** A run may be due: runners are woken after commit. */
  touchQueue(): void;
}
