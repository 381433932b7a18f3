import { PROJECTION_VERSION } from './projection.ts';
import type { Checkpoint } from './projection-store.ts';

/** The sink, or what we remember of it, does not fit the log. */
export type Drift = 'checkpoint_ahead' | 'summary_hash_mismatch' | 'projection_version_changed';

export type ProjectionDecision =
  | { readonly action: 'skip'; readonly reason: 'idempotent' | 'checkpoint_ahead' }
  | { readonly action: 'write'; readonly drift: Drift | undefined };

export interface NewSummary {
  readonly seq: number;
  readonly summaryHash: string;
}

/** Whether a summary has to be written, from what was written last. */
export function decideProjection(
  checkpoint: Checkpoint | undefined,
  summary: NewSummary,
): ProjectionDecision {
  if (checkpoint === undefined) return { action: 'write', drift: undefined };
  // The log is shorter than it was: it may be an older backup. Nothing is overwritten until somebody says so.
  if (checkpoint.seq > summary.seq) return { action: 'skip', reason: 'checkpoint_ahead' };
  if (checkpoint.version !== PROJECTION_VERSION) {
    return { action: 'write', drift: 'projection_version_changed' };
  }
  if (checkpoint.seq < summary.seq) return { action: 'write', drift: undefined };
  if (checkpoint.summaryHash === summary.summaryHash)
    return { action: 'skip', reason: 'idempotent' };
  return { action: 'write', drift: 'summary_hash_mismatch' };
}
