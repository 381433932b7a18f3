import type { BreakerState } from './breaker.ts';

export interface BreakerRecord {
  readonly key: string;
  /** Grows by one with every write of the key. */
  readonly version: number;
  readonly state: BreakerState;
}

export type ReplaceResult =
  | { readonly outcome: 'written'; readonly version: number }
  | { readonly outcome: 'stale'; readonly record: BreakerRecord | undefined };

/**
 * Where circuits are shared between processes and kept over restarts. Only changes of status go through here, and
 * trials, which all processes share; each process counts its own calls.
 */
export interface BreakerStore {
  find(key: string): Promise<BreakerRecord | undefined>;
  /** Writes only while the stored version is still `expectedVersion`; 0 means that there is no record. */
  replace(key: string, expectedVersion: number, state: BreakerState): Promise<ReplaceResult>;
  /** At most `limit` records, in the order of their keys, after the key `after`. */
  list(page: {
    readonly limit: number;
    readonly after?: string;
  }): Promise<readonly BreakerRecord[]>;
}
