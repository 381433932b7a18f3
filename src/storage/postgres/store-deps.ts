import type { WakeupHub } from '../wakeup-hub.ts';
import type { Database } from './database.ts';

/** What a store needs that does not write runs. */
export interface StoreDeps {
  readonly database: Database;
  /** Replaces the database's clock, in tests. */
  readonly nowMs: (() => number) | undefined;
  readonly hub: Pick<WakeupHub, 'wakeTopic'>;
}
