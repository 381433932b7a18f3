import * as z from 'zod';
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

const natural = z.int().min(0);

const stateSchema: z.ZodType<BreakerState> = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('closed'),
    epoch: natural,
    failures: natural,
    window: z
      .object({
        size: z.int().min(1).max(10_000),
        count: natural,
        failed: natural,
        next: natural,
        bits: z.array(z.int()).max(313),
      })
      .refine(
        ({ size, count, failed, next, bits }) =>
          count <= size && failed <= count && next < size && bits.length === Math.ceil(size / 32),
      ),
  }),
  z.object({ status: z.literal('open'), epoch: natural, retryAtMs: z.number() }),
  z.object({
    status: z.literal('half_open'),
    epoch: natural,
    issued: natural,
    successes: natural,
    trials: z.array(z.object({ id: natural, expiresAtMs: z.number() })).max(100),
  }),
  z.object({ status: z.literal('forced_open'), epoch: natural }),
]);

/** For stores: what they read back may be from another version, or from somebody else. */
export function parseBreakerState(value: unknown): BreakerState | undefined {
  const parsed = stateSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
