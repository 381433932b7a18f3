import type { RunId } from '../../core/ids.ts';
import type { Database, Statement } from './driver.ts';

/** What a write sees of the batch it runs in. */
export interface WriteContext {
  readonly db: Database;
  /** The store's time; it stands still within a batch. */
  nowMs(): number;
  /** The run got events: its readers are woken after commit. */
  touchRun(runId: RunId): void;
  /** A run may be due: runners are woken after commit. */
  touchQueue(): void;
}

export type Bindable = string | number | null;

/** Rows of our own tables have the columns that our own SQL names: the driver can't know their types. */
export function getRow<Row>(statement: Statement, ...values: Bindable[]): Row | undefined {
  return statement.get(...values) as Row | undefined;
}

export function allRows<Row>(statement: Statement, ...values: Bindable[]): Row[] {
  return statement.all(...values) as Row[];
}
